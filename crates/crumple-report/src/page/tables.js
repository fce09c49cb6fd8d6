// The list of bodies and the table of places. Names go in by textContent only.

/** An element with text in it. */
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const digits = new Intl.NumberFormat("en-US");
/** A number for people: about four digits that matter. */
function real(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(3);
  return String(Number(x.toPrecision(4)));
}

/** The bodies with a box to hide each. */
function listBodies(bodies, onToggle) {
  const list = document.getElementById("bodies");
  bodies.forEach((body, k) => {
    const row = element("label", undefined, "body");
    const box = element("input");
    box.type = "checkbox";
    box.checked = true;
    box.id = `body-${k}`;
    box.addEventListener("change", () => onToggle(k, box.checked));
    const swatch = element("span", undefined, "swatch");
    swatch.style.background = body.color;
    const counts = body.tets ? `${digits.format(body.tets)} tets` : body.triangles ? `${digits.format(body.triangles)} triangles` : `${digits.format(body.vertices)} points`;
    row.append(box, swatch, element("span", body.name, "name"), element("span", counts, "soft"));
    list.append(row);
  });
}

/** The bodies of a place, with the parts that meet there. */
function whoOf(bodies, place) {
  const [a, b] = place.bodies.map((body, side) => {
    const part = place.parts && place.parts[side];
    return part ? `${bodies[body].name} (${part})` : bodies[body].name;
  });
  return a === b ? a : `${a} with ${b}`;
}

class PlaceTable {
  constructor(data, onPlace) {
    this.data = data;
    this.onPlace = onPlace;
    this.isAll = false;
    this.shown = 50;
    this.frame = -1;
    this.order = null;
    this.table = document.getElementById("places");
    this.more = document.getElementById("more");
    this.more.addEventListener("click", () => {
      this.shown *= 4;
      this.fill();
    });
    const all = document.getElementById("all-frames");
    document.getElementById("scope-label").hidden = data.frames.length < 2;
    all.addEventListener("change", () => {
      this.isAll = all.checked;
      this.shown = 50;
      this.fill();
    });
    const copy = document.getElementById("copy");
    copy.addEventListener("click", async () => {
      await copyText(this.csv());
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy as CSV"), 1500);
    });
    const hasUv = data.frames.some((frame) => frame.places.some((place) => place.uv));
    const hasInside = data.frames.some((frame) => frame.inside > 0);
    const at = (axis) => (row) => row.place.centre[axis];
    this.columns = [
      { name: "frame", value: (row) => row.frame.frame, onlyAll: true },
      { name: "place", value: (row) => row.rank + 1 },
      { name: "bodies", value: (row) => whoOf(data.bodies, row.place), isText: true },
      { name: "pairs", value: (row) => row.place.pairs },
      ...(hasInside ? [{ name: "vertices inside", value: (row) => row.place.inside || 0 }] : []),
      { name: "crossing", value: (row) => row.place.length },
      { name: "size", value: (row) => row.place.size },
      { name: "depth", value: (row) => row.place.depth },
      { name: "x", value: at(0) }, { name: "y", value: at(1) }, { name: "z", value: at(2) },
      ...(hasUv ? [0, 1].map((k) => ({ name: "uv"[k], value: (row) => (row.place.uv ? row.place.uv[k] : "") })) : []),
    ];
  }

  /** Rows of this frame or of all, the longest crossing first unless a heading was clicked. */
  rows() {
    const { frames } = this.data;
    const ranks = this.isAll ? frames.map((_, k) => k) : [this.frame];
    const rows = ranks.flatMap((k) => frames[k].places.map((place, rank) => ({ k, frame: frames[k], rank, place })));
    if (this.isAll && !this.order) rows.sort((a, b) => b.place.length - a.place.length);
    if (this.order) {
      const { value, isText } = this.order.column;
      const sign = this.order.isUp ? 1 : -1;
      rows.sort((a, b) => sign * (isText ? value(a).localeCompare(value(b)) : value(a) - value(b)));
    }
    return rows;
  }

  visibleColumns() {
    return this.columns.filter((column) => this.isAll || !column.onlyAll);
  }

  /** Lists the places of a frame and marks the one in hand. */
  show(frame, place) {
    const isNew = frame !== this.frame;
    [this.frame, this.place] = [frame, place];
    if (isNew && !this.isAll) this.fill();
    else this.mark();
  }

  mark() {
    const { frame, place } = this;
    for (const row of this.table.tBodies[0].rows) {
      const isHere = Number(row.dataset.k) === frame && Number(row.dataset.place) === place;
      row.classList.toggle("here", isHere);
    }
  }

  fill() {
    const columns = this.visibleColumns();
    const rows = this.rows();
    document.getElementById("place-count").textContent = rows.length ? `(${digits.format(rows.length)})` : "(none)";
    const head = element("tr");
    for (const column of columns) {
      const cell = element("th", undefined, column.isText ? "text" : "");
      cell.scope = "col";
      const button = element("button", column.name);
      button.type = "button";
      button.addEventListener("click", () => {
        const isSame = this.order && this.order.column === column;
        this.order = { column, isUp: isSame ? !this.order.isUp : Boolean(column.isText) };
        this.fill();
      });
      if (this.order && this.order.column === column) cell.ariaSort = this.order.isUp ? "ascending" : "descending";
      cell.append(button);
      head.append(cell);
    }
    this.table.tHead.replaceChildren(head);
    this.table.tBodies[0].replaceChildren(...rows.slice(0, this.shown).map((row) => this.row(row, columns)));
    this.more.hidden = rows.length <= this.shown;
    this.more.textContent = `Show more of ${digits.format(rows.length)}`;
    this.mark();
  }

  row(row, columns) {
    const made = element("tr");
    made.dataset.k = String(row.k);
    made.dataset.place = String(row.rank);
    made.addEventListener("click", () => this.onPlace(row.k, row.rank));
    for (const column of columns) {
      const value = column.value(row);
      const cell = element("td", undefined, column.isText ? "text" : "number");
      const shown = typeof value === "number" && !Number.isInteger(value) ? real(value) : column.isText ? value : digits.format(value);
      if (column.name === "place") {
        const button = element("button", shown);
        button.type = "button";
        button.ariaLabel = `Go to place ${shown}`;
        cell.append(button);
      } else {
        cell.textContent = shown;
      }
      made.append(cell);
    }
    return made;
  }

  /** Everything that the table lists, in full precision. */
  csv() {
    const columns = this.visibleColumns();
    const quoted = (text) => {
      // A name that a spreadsheet would take for a formula stays a name.
      const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
      return `"${safe.replaceAll('"', '""')}"`;
    };
    const line = (row) => columns.map((c) => (c.isText ? quoted(c.value(row)) : String(c.value(row)))).join(",");
    return [columns.map((c) => c.name).join(","), ...this.rows().map(line)].join("\n") + "\n";
  }
}

/** Puts text on the clipboard, by the old way where the new one is not allowed. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

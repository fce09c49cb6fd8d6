//! The machine and the day, as records name them.

use std::time::{SystemTime, UNIX_EPOCH};

/// The processor's model and the number of cores, fit for a directory's name: `amd-epyc-7r13-2`; `unknown-2` where the
/// system does not tell.
pub fn name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}-{cores}", slug(model(&text).unwrap_or("unknown")))
}

/// The processor's model as the system names it.
pub fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model(&text).unwrap_or("unknown").to_owned()
}

/// The line `model name : …`.
fn model(cpuinfo: &str) -> Option<&str> {
    let (_, value) =
        cpuinfo.lines().filter_map(|l| l.split_once(':')).find(|(key, _)| key.trim() == "model name")?;
    Some(value.trim()).filter(|m| !m.is_empty())
}

/// Lower-case letters and digits, all else one dash; trademarks and the base frequency are left out.
fn slug(model: &str) -> String {
    let model = model.split('@').next().unwrap_or(model).replace("(R)", " ").replace("(TM)", " ");
    let words = model.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let words = words.filter(|w| !["CPU", "Processor"].contains(w));
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// Today in UTC, as `2003-11-19`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01. Years are counted from March, so that the leap day is a year's last:
/// 400 years have 146,097 days, and month m from March begins on day (153 m + 2) / 5.
fn date(days: u64) -> String {
    let days = days + 719_468; // from 0000-03-01
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        let days =
            [(0, "1970-01-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (12_375, "2003-11-19")];
        for (days, name) in days.into_iter().chain([(47_540, "2100-02-28"), (47_541, "2100-03-01")]) {
            assert_eq!(date(days), name);
        }
    }

    #[test]
    fn a_machine_is_a_directory_name() {
        let info =
            "processor\t: 0\nmodel name\t: Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz\ncache size\t: 12 MB\n";
        assert_eq!(model(info).map(slug).as_deref(), Some("intel-core-i7-8700k"));
        assert_eq!(model("Hardware: none\n"), None);
        assert_eq!(slug("AMD EPYC 7R13 Processor"), "amd-epyc-7r13");
    }
}

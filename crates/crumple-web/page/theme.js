// Before anything is drawn: light or dark as the system says, or as was chosen here before. Plain, so that it runs where
// modules do not, and can say so.
(function () {
  var chosen = null;
  try { chosen = localStorage.getItem('theme'); } catch (error) { /* private windows refuse */ }
  var system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen || system;
  addEventListener('DOMContentLoaded', function () {
    if (location.protocol !== 'file:') return;
    var message = document.getElementById('message');
    message.textContent = 'Browsers do not load modules from files. Serve this folder, for instance with "crumple page", and open that address.';
    message.hidden = false;
  });
})();

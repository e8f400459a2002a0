/**
 * The page's one script. All of the report can be read without it: it opens what a link leads to, searches and filters the runs'
 * pages, and opens everything for printing.
 */
export const SCRIPT = `'use strict';
(function () {
  var find = document.getElementById('find');
  function open(id) {
    var target = id && document.getElementById(id);
    if (!target) return;
    for (var at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView();
  }
  function here() {
    try { open(decodeURIComponent(location.hash.slice(1))); } catch (_) { open(location.hash.slice(1)); }
  }
  addEventListener('hashchange', here);
  document.addEventListener('click', function (event) {
    var link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) here();
  });
  here();
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details:not(.run)').forEach(function (one) { one.open = true; });
  });
  if (!find) return;
  find.hidden = false;
  var text = find.elements.text, tool = find.elements.tool, errors = find.elements.errors, denied = find.elements.denied;
  var status = find.querySelector('output');
  var runs = Array.prototype.map.call(document.querySelectorAll('details.run'), function (run) {
    return { run: run, opened: false, requests: Array.prototype.slice.call(run.querySelectorAll('ol.q>li')) };
  });
  var words = new WeakMap();
  function wordsOf(element) {
    if (!words.has(element)) words.set(element, element.textContent.toLowerCase());
    return words.get(element);
  }
  function fits(call) {
    if (tool.value && call.firstElementChild.textContent !== tool.value) return false;
    if (errors.checked && !call.dataset.e) return false;
    return !denied.checked || call.dataset.h === 'denied';
  }
  function filter() {
    var wanted = text.value.trim().toLowerCase();
    var narrow = Boolean(tool.value || errors.checked || denied.checked);
    var active = narrow || wanted !== '';
    var found = 0, inRuns = 0, beside = 0;
    runs.forEach(function (one) {
      var mine = 0;
      var named = wanted !== '' && !narrow && wordsOf(one.run.querySelector('summary')).indexOf(wanted) >= 0;
      one.requests.forEach(function (request) {
        var calls = Array.prototype.slice.call(request.querySelectorAll('ul.c>li'));
        var shown = calls.filter(function (call) {
          var fit = fits(call) && (wanted === '' || !narrow || wordsOf(call).indexOf(wanted) >= 0);
          call.hidden = narrow && !fit;
          return fit;
        });
        var fit = !active || (narrow ? shown.length > 0 : named || wordsOf(request).indexOf(wanted) >= 0);
        request.hidden = !fit;
        if (fit) mine += 1;
      });
      var elsewhere = active && !narrow && mine === 0 && one.run.textContent.toLowerCase().indexOf(wanted) >= 0;
      if (elsewhere) {
        beside += 1;
        one.run.querySelectorAll('details').forEach(function (part) {
          if (part.textContent.toLowerCase().indexOf(wanted) >= 0) part.open = true;
        });
      }
      one.run.hidden = active && mine === 0 && !named && !elsewhere;
      if (active && (mine > 0 || elsewhere) && !named && !one.run.open) { one.run.open = true; one.opened = true; }
      if (!active && one.opened) { one.run.open = false; one.opened = false; }
      if (!one.run.hidden) inRuns += 1;
      found += mine;
    });
    status.textContent = active ? found + ' request' + (found === 1 ? '' : 's') + ' in ' + inRuns + ' run' + (inRuns === 1 ? '' : 's') +
      (beside > 0 ? ', of which ' + beside + ' elsewhere than in a request' : '') : '';
  }
  var waiting;
  find.addEventListener('input', function () { clearTimeout(waiting); waiting = setTimeout(filter, 80); });
  find.addEventListener('submit', function (event) { event.preventDefault(); filter(); });
  find.addEventListener('reset', function () { setTimeout(filter, 0); });
})();
`;

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
  var list = document.getElementById('run-list');
  var runs = Array.prototype.map.call(document.querySelectorAll('details.run'), function (run, place) {
    return { run: run, place: place, opened: false, requests: Array.prototype.slice.call(run.querySelectorAll('ol.q>li')) };
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
    var choices = ['task', 'arm', 'validity', 'grade'].filter(function (name) { return find.elements[name] && find.elements[name].value; });
    var active = narrow || wanted !== '' || choices.length > 0;
    var only = choices.length > 0 && !narrow && wanted === '';
    var found = 0, inRuns = 0, beside = 0;
    runs.forEach(function (one) {
      var mine = 0;
      var isChosen = choices.every(function (name) { return one.run.dataset[name] === find.elements[name].value; });
      if (!isChosen) { one.run.hidden = true; return; }
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
      one.run.hidden = active && !only && mine === 0 && !named && !elsewhere;
      if (active && !only && (mine > 0 || elsewhere) && !named && !one.run.open) { one.run.open = true; one.opened = true; }
      if (!active && one.opened) { one.run.open = false; one.opened = false; }
      if (!one.run.hidden) inRuns += 1;
      found += mine;
    });
    status.textContent = active ? found + ' request' + (found === 1 ? '' : 's') + ' in ' + inRuns + ' run' + (inRuns === 1 ? '' : 's') +
      (beside > 0 ? ', of which ' + beside + ' elsewhere than in a request' : '') : '';
    mark(wanted);
  }
  // Marks what was searched for without a change to the page: a selection of ranges that the style colours.
  function mark(wanted) {
    if (!window.CSS || !CSS.highlights) return;
    CSS.highlights.delete('found');
    if (wanted === '') return;
    var ranges = [];
    runs.forEach(function (one) {
      if (one.run.hidden || ranges.length >= 2000) return;
      var walker = document.createTreeWalker(one.run, NodeFilter.SHOW_TEXT);
      for (var node = walker.nextNode(); node && ranges.length < 2000; node = walker.nextNode()) {
        var text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue;
        for (var at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          var range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    });
    var found = new Highlight();
    ranges.forEach(function (range) { found.add(range); });
    CSS.highlights.set('found', found);
  }
  function sort() {
    var by = find.elements.sort.value, key = by && 'by' + by.charAt(0).toUpperCase() + by.slice(1);
    function size(one) { var value = one.run.dataset[key]; return value === undefined ? -Infinity : Number(value); }
    apart();
    runs.slice().sort(function (a, b) { return (key && size(b) - size(a)) || a.place - b.place; })
      .forEach(function (one) { list.appendChild(one.run); });
  }
  // Takes runs that stand side by side apart again. Their places are those of the first of them.
  function apart() {
    document.querySelectorAll('.beside').forEach(function (frame) { frame.replaceWith.apply(frame, frame.childNodes); });
  }
  document.querySelectorAll('button.pair').forEach(function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      var own = button.closest('details.run'), isBeside = own.parentElement !== list;
      sort();
      if (isBeside) { own.scrollIntoView(); return; }
      var frame = document.createElement('div');
      frame.className = 'beside';
      own.before(frame);
      [own].concat(button.dataset.with.split(' ').map(function (id) { return document.getElementById(id).closest('details.run'); }))
        .sort(function (a, b) { return a.dataset.place - b.dataset.place; })
        .forEach(function (run) { run.hidden = false; run.open = true; frame.appendChild(run); });
      frame.scrollIntoView();
    });
  });
  find.elements.sort.addEventListener('change', sort);
  var waiting;
  find.addEventListener('input', function () { clearTimeout(waiting); waiting = setTimeout(filter, 80); });
  find.addEventListener('submit', function (event) { event.preventDefault(); filter(); });
  find.addEventListener('reset', function () { setTimeout(filter, 0); });
})();
`;

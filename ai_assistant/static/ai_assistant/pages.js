/* Draws what pages hold as data: who is how near, feelings over time, and what days cost. */
"use strict";

const data = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const wheel = ["#0f8a80", "#c2571a", "#5b6ee1", "#b8860b", "#a2397f", "#4c8a2b"];

function drawGraph(place, { me, nodes }) {
  const elements = [{ data: { id: "me", label: me }, position: { x: 0, y: 0 } }];
  nodes.forEach(([key, label, favor, state], at) => {
    const angle = (2 * Math.PI * at) / nodes.length - Math.PI / 2;
    const far = 90 + 190 * (1 - favor), wide = place.clientWidth > place.clientHeight ? 1.5 : 0.8;
    elements.push({ data: { id: key, label }, position: { x: far * Math.cos(angle) * wide, y: far * Math.sin(angle) } });
    elements.push({ data: { source: "me", target: key, label: state.replaceAll("_", " "), width: 1 + 6 * favor } });
  });
  const graph = cytoscape({
    container: place, elements, layout: { name: "preset", padding: 30 }, userZoomingEnabled: false,
    style: [
      { selector: "node", style: { label: "data(label)", color: colour("--ink"), "background-color": wheel[2], width: 18, height: 18, "font-size": 13, "text-margin-y": -6 } },
      { selector: "#me", style: { "background-color": colour("--mark"), width: 30, height: 30, "font-weight": "bold" } },
      { selector: "edge", style: { label: "data(label)", width: "data(width)", "line-color": colour("--line"), color: colour("--faint"), "font-size": 11, "text-background-color": colour("--paper"), "text-background-opacity": 1 } },
    ],
  });
  graph.on("tap", "node[id != 'me']", (tap) => { location = `${place.dataset.page}?who=${tap.target.id().slice(0, 8)}`; });
}

function drawFeelings(place, curves) {
  const shown = curves.filter((curve) => curve.points.length);
  const times = [...new Set(shown.flatMap((curve) => curve.points.map(([at]) => Date.parse(at) / 1000)))].sort((a, b) => a - b);
  times.unshift(times[0] - Math.max(60, (times.at(-1) - times[0]) * 0.05));
  const until = shown[0].until ? Date.parse(shown[0].until) : Date.now();
  times.push(Math.max(until / 1000, times.at(-1)));
  const lines = shown.map((curve) => {
    let value = curve.from, next = 0;
    return times.map((time) => {
      while (next < curve.points.length && Date.parse(curve.points[next][0]) / 1000 <= time) value = curve.points[next++][1];
      return value;
    });
  });
  drawChart(place, [times, ...lines], {
    ...utc, scales: { y: { range: [0, 1] } }, axes: [{ ...axis(), space: 90, values: clock }, axis()],
    series: [{ value: "{YYYY}-{MM}-{DD} {HH}:{mm}" }, ...shown.map((curve, at) => ({ label: curve.name, stroke: wheel[at], width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }))],
  });
}

function drawSpending(place, days) {
  const [dates, tokens, dollars] = [0, 1, 2].map((at) => days.map((day) => day[at]));
  const line = (label, scale, at) => ({ label, scale, stroke: wheel[at], width: 2, points: { show: days.length < 60 } });
  drawChart(place, [dates.map((day) => Date.parse(day) / 1000), tokens, dollars], {
    ...utc,
    scales: { tokens: { range: (_, __, most) => [0, most || 1] }, dollars: { range: (_, __, most) => [0, most || 1] } },
    axes: [{ ...axis(), values: "{D} {MMM}" }, { ...axis(), scale: "tokens", size: 80 }, { ...axis(), scale: "dollars", side: 1, grid: { show: false }, show: dollars.some(Boolean) }],
    series: [{ label: "Day", value: "{D} {MMM} {YYYY}" }, line("Tokens", "tokens", 0), line("Dollars", "dollars", 1)],
  });
}

const utc = { tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "UTC") };
const clock = (chart, ticks) => ticks.map((time, at) => {
  const [day, hour] = new Date(time * 1000).toISOString().split("T");
  const before = at && new Date(ticks[at - 1] * 1000).toISOString().slice(0, 10);
  return day === before ? hour.slice(0, 5) : `${hour.slice(0, 5)}\n${day}`;
});
const axis = () => ({ stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 } });

function drawChart(place, lines, options) {
  const size = () => ({ width: place.clientWidth - 16, height: 260 });
  const chart = new uPlot({ ...size(), ...options }, lines, place);
  addEventListener("resize", () => chart.setSize(size()));
}

const graph = document.getElementById("graph"), feelings = document.getElementById("feelings");
if (graph) drawGraph(graph, data("graph-data"));
const spending = document.getElementById("spending");
if (feelings) drawFeelings(feelings, data("feelings-data"));
if (spending) drawSpending(spending, data("spending-data"));

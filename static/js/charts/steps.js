/** The step chart: how agents spent their steps, one stacked bar for each condition and team size. */

export const ACTIVITIES = ["planning", "action", "idle", "dead"];
const BAR_PX = 34;
const NARROW_BAR_PX = 44;
const FRAME_PX = 96;
const NARROW_PX = 560;

/**
 * What Plotly draws.
 * @param {Array<{label: string, agents: number, episodes: number, shares: Record<string, number>}>} bars in the order
 *   from top to bottom; shares in per cent
 * @param {Record<string, string>} colours by activity, and `text`, `line`
 * @param {number} width CSS pixels
 * @returns {{data: object[], layout: object, config: object}}
 */
export function figure(bars, colours, width) {
  const narrow = width < NARROW_PX;
  const places = bars.map((_, place) => place);
  return {
    data: ACTIVITIES.map((activity) => ({
      type: "bar",
      orientation: "h",
      name: activity,
      y: places,
      x: bars.map((bar) => bar.shares[activity]),
      customdata: bars.map((bar) => [plain(bar.label), bar.agents, bar.episodes]),
      hovertemplate:
        "%{customdata[0]}<br>%{customdata[1]} agents, %{customdata[2]} episodes<br>" +
        `${activity} %{x:.1f} %<extra></extra>`,
      marker: { color: colours[activity], line: { width: 0 } },
      textposition: "none",
    })),
    layout: {
      barmode: "stack",
      bargap: narrow ? 0.6 : 0.35,
      annotations: narrow ? bars.map(above) : [],
      height: FRAME_PX + bars.length * (narrow ? NARROW_BAR_PX : BAR_PX),
      margin: { l: 8, r: 32, t: 32, b: 40 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colours.text, size: 12 },
      legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom", traceorder: "normal" },
      xaxis: {
        range: [0, 100],
        dtick: 20,
        ticksuffix: " %",
        gridcolor: colours.line,
        zerolinecolor: colours.line,
        fixedrange: true,
        title: { text: "of agent-steps" },
      },
      yaxis: {
        autorange: "reversed",
        tickvals: places,
        ticktext: bars.map((bar) => (narrow ? "" : `${label(bar)} `)),
        automargin: true,
        fixedrange: true,
      },
    },
    config: { displayModeBar: false, responsive: true },
  };
}

function label(bar) {
  return `${plain(bar.label)} · ${bar.agents} agent${bar.agents === 1 ? "" : "s"}`;
}

/** A bar's label above it, where there is no room beside it. */
function above(bar, place) {
  return {
    text: label(bar),
    x: 0,
    y: place,
    xanchor: "left",
    yshift: NARROW_BAR_PX / 2 - 4,
    showarrow: false,
    font: { size: 11 },
  };
}

/** Plotly reads some markup in text: a model's name must stay text. */
function plain(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

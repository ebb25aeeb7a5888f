/** What the keys do, for people, by where they work. The guide's page “Watching” says the same. */

const EVERYWHERE = "Everywhere, unless what has the focus needs them";
const TIME = [
  ["space bar", "play, pause"],
  [", .", "one step back, one step on"],
  ["< >", "slower, faster"],
  ["L", "go to the live edge"],
  ["?", "this list"],
];

/** The wall's. @type {Record<string, import("./help.js").Keys>} */
export const WALL_KEYS = {
  [EVERYWHERE]: TIME,
  "On an episode": [
    ["← → ↑ ↓", "go to the next episode that way"],
    ["Home, End", "go to the first, the last one"],
    ["Enter", "open it"],
  ],
};

/** An episode's page's. @type {Record<string, import("./help.js").Keys>} */
export const KEY_LIST = {
  [EVERYWHERE]: [...TIME, ["[ ]", "last, next event of the chosen kind"]],
  "On the timeline": [
    ["← →", "last, next segment of the lane"],
    ["↑ ↓", "the lane above, below"],
    ["Enter", "go to the segment's moment, and open the agent's mind or the decision"],
    ["Esc", "let go of the segment"],
    ["W S, + −", "zoom in, out"],
    ["A D, Shift ← →", "move back, on"],
    ["F, 0", "show everything"],
    ["Home, End", "go to the start, to now"],
  ],
  "On the map": [
    ["← → ↑ ↓", "go from place to place, and read what is there"],
    ["Enter", "open the mind of the agent there"],
  ],
  "In 3D": [
    ["W A S D", "fly"],
    ["Q E", "down, up"],
    ["← → ↑ ↓", "turn"],
    ["+ −", "zoom"],
    ["F", "follow the chosen agent, or fly freely"],
    ["R", "show everything"],
  ],
};

/** What the keys do, for people, by where they work. The guide's page “Watching” says the same. */

/** @type {Record<string, import("./help.js").Keys>} */
export const KEY_LIST = {
  "Everywhere, unless what has the focus needs them": [
    ["space bar", "play, pause"],
    [", .", "one step back, one step on"],
    ["< >", "slower, faster"],
    ["[ ]", "last, next event of the chosen kind"],
    ["L", "go to the live edge"],
    ["?", "this list"],
  ],
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

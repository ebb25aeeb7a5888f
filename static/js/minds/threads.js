/** Messages by negotiation: each proposal with the answers to it. Pure. */

const PROPOSALS = new Set(["PROPOSAL", "COUNTER-PROPOSAL"]);
const ANSWERS = new Set(["AGREE", "DISAGREE", "COUNTER-PROPOSAL"]);

/**
 * @typedef {import("../live/folds.js").Folds["messages"][number]} Message
 * @typedef {{message: Message, answers: Message[]}} Thread
 */

/**
 * Group messages: an answer belongs to the last proposal that its sender was sent by one of those it answers to.
 * @param {readonly Message[]} messages in order
 * @returns {Thread[]} in order of their first messages; a counter-proposal answers one and begins another
 */
export function threadsOf(messages) {
  /** @type {Thread[]} */
  const threads = [];
  for (const message of messages) {
    const answered = ANSWERS.has(message.tag) ? proposalTo(threads, message) : null;
    answered?.answers.push(message);
    if (!answered || PROPOSALS.has(message.tag)) {
      threads.push({ message, answers: [] });
    }
  }
  return threads;
}

function proposalTo(threads, { sender, to }) {
  return (
    threads.findLast(
      ({ message }) =>
        PROPOSALS.has(message.tag) && message.to.includes(sender) && to.includes(message.sender),
    ) ?? null
  );
}

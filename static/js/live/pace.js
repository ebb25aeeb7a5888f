/** The pace buttons: a plain form that is sent without leaving the page. */

/**
 * Send the form by fetch, and show which pace is in force.
 * @param {HTMLFormElement} form with buttons named `pace`
 * @param {(message: string) => void} failed tells the viewer that the pace could not be changed
 * @returns {(pace: number) => void} shows a pace that the server reported
 */
export function paceForm(form, failed) {
  const show = (pace) => {
    for (const button of form.querySelectorAll("button[name=pace]")) {
      const pressed = Number(button.value) === pace;
      button.setAttribute("aria-pressed", String(pressed));
      button.classList.toggle("active", pressed);
    }
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pace = event.submitter?.value;
    if (pace === undefined) {
      return;
    }
    try {
      const body = new FormData(form, event.submitter);
      const response = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      if (!response.ok) {
        throw new Error(`the server answered ${response.status}`);
      }
      show(Number(pace));
    } catch (error) {
      failed(`The pace was not changed: ${error.message}. Try again.`);
    }
  });
  return show;
}

// Lets ages grow while a page is open: <time datetime="…">2 s</time>.

/** tickAges keeps the text of every <time> of the page's header current. */
export function tickAges(): void {
  const tick = () => {
    for (const time of document.querySelectorAll<HTMLTimeElement>("#fresh time[datetime]")) {
      const at = Date.parse(time.dateTime);
      if (Number.isNaN(at)) continue;
      const text = age(Date.now() - at);
      if (time.textContent !== text) time.textContent = text;
    }
  };
  tick();
  setInterval(tick, 1000);
}

/** age writes how long ago something was, in the words of views/numbers.go. */
function age(milliseconds: number): string {
  const seconds = Math.max(1, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} days`;
}

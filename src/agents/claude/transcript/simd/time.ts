// AssemblyScript. The time of a record in milliseconds, from the form in which the client writes it:
// `2026-11-18T04:06:26.289Z`.

/** No time can be so large. */
export const noTime: f64 = 1e300;
/** Any other form. */
export const oddTime: f64 = 2e300;

export function timeAt(start: usize, end: usize): f64 {
  if (end - start !== 24 || !isForm(start)) return oddTime;
  const century = two(start);
  const month = two(start + 5);
  const day = two(start + 8);
  const hours = two(start + 11);
  const minutes = two(start + 14);
  const seconds = two(start + 17);
  const isPlain = century >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= leastDays(month);
  if (!isPlain || hours > 23 || minutes > 59 || seconds > 59) return oddTime;
  const days = daysUntil(century * 100 + two(start + 2), month, day);
  const inDay = (hours * 60 + minutes) * 60 + seconds;
  const ms = digit(start + 20) * 100 + two(start + 21);
  return <f64>(<i64>days * 86_400 + inDay) * 1000 + ms;
}

function isForm(start: usize): bool {
  const form = "0000-00-00T00:00:00.000Z";
  for (let at = 0; at < form.length; at++) {
    const wanted = <u8>form.charCodeAt(at);
    const byte = load<u8>(start + at);
    if (wanted === 0x30 ? byte < 0x30 || byte > 0x39 : byte !== wanted) return false;
  }
  return true;
}

/** In any year. */
function leastDays(month: i32): i32 {
  if (month === 2) return 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Since 1970. A year begins in March here, so that the leap day is its last. */
function daysUntil(calendarYear: i32, month: i32, day: i32): i32 {
  const year = month <= 2 ? calendarYear - 1 : calendarYear;
  const inYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
  return year * 365 + year / 4 - year / 100 + year / 400 + inYear - 719_468;
}

function digit(at: usize): i32 {
  return <i32>load<u8>(at) - 0x30;
}

function two(at: usize): i32 {
  return digit(at) * 10 + digit(at + 1);
}

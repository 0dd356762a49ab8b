// A run of tests begins at the same moment, whatever the true one: the demo grows by the clock, and
// what failed at one hour must fail when it is run again. `TEST_CLOCK=2027-01-01T00:00:00+08:00 npm
// test` begins at another. Pages in a browser do the same (tests/e2e/desk.ts).
const offset = Number(
  (process.env.TEST_CLOCK_OFFSET ??= String(
    Date.parse(process.env.TEST_CLOCK ?? '2026-11-18T10:30:00+08:00') - Date.now(),
  )),
)
if (Number.isNaN(offset)) throw new Error(`TEST_CLOCK is no moment: ${process.env.TEST_CLOCK}`)
const set = Symbol.for('the clock of the tests')
// vitest reads its settings, and so this file, once for each of its projects.
if (!(set in globalThis)) {
  const True = Date
  const now = () => True.now() + offset
  globalThis[set] = true
  globalThis.Date = new Proxy(True, {
    construct: (_, of, as) => Reflect.construct(True, of.length === 0 ? [now()] : of, as),
    apply: () => new True(now()).toString(),
    get: (_, key) => (key === 'now' ? now : Reflect.get(True, key)),
  })
  // Every process that this one starts does the same.
  const wanted = `--import=${new URL('clock.mjs', import.meta.url).href}`
  if (!process.env.NODE_OPTIONS?.includes(wanted))
    process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${wanted}`.trim()
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { seen, settle, verdict } from './again.ts'
import { bench } from './bench.ts'
import { findBrowser } from './browser.ts'
import { allJourneys, branchPoint, changedSince, journeysFor } from './changed.ts'
import { nothing, type Fault, type Flaky, type Outcome, type Step } from './outcome.ts'
import { node, results, root, title } from './process.ts'
import { databases, playwright, playwrightAgain, vitest, vitestAgain } from './runners.ts'
import { soak } from './soak.ts'
import { summary } from './summary.ts'

/** What plain JavaScript hands over: the build, and each check as arguments of Node. */
type Given = { build: () => void; checks: Record<string, string[]> }
type Done = Outcome & { flaky?: Flaky[] }

/** Milliseconds that the machine's processors have worked and been idle so far. */
const processors = () => {
  const times = cpus().map(one => one.times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  const all = times.flatMap(one => Object.values(one)).reduce((sum, one) => sum + one, 0)
  return { worked: all - idle, all }
}
/** Does the steps that are wanted, and keeps how each went. */
const openSteps = (only: readonly string[] | undefined) => {
  const steps: Step[] = []
  const wanted = (name: string) => !only || only.includes(name)
  const step = async (name: string, does: () => Promise<Done> | Done, needed = wanted(name)) => {
    if (!needed) return
    title(name)
    const began = performance.now()
    const before = processors()
    const done = await does()
    const seconds = (performance.now() - began) / 1000
    const after = processors()
    const busy = (after.worked - before.worked) / Math.max(1, after.all - before.all)
    steps.push(seen({ flaky: [], ...done, name, seconds, busy }))
  }
  return { steps, step, wanted }
}

/** A check without tests of its own counts as one. */
const check = async (args: string[]): Promise<Outcome> =>
  (await node(args)) === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 }
const built = (build: () => void): Outcome => {
  try {
    build()
    return { ...nothing, passed: 1 }
  } catch (error) {
    return { ...nothing, failed: 1, why: String(error) }
  }
}
/** What work in between asks for: the commit it began at, and its journeys. */
type Change = { since: string; journeys: string[] }
const changeOf = (): Change => {
  const since = branchPoint()
  return { since, journeys: journeysFor(changedSince(since), allJourneys()) }
}
/** Where only what changed is asked for, a step may have nothing to do. */
const untouched = (done: Outcome): Outcome =>
  done.passed + done.failed > 0 ? done : { ...done, passed: 1, why: 'nothing changed' }
const tests = async (projects: readonly string[], change?: Change): Promise<Done> => {
  const again = (fault: Fault) => vitestAgain(projects, fault)
  if (!change) return settle(await vitest(projects), again)
  return settle(untouched(await vitest(projects, ['--changed', change.since])), again)
}
/** Keeps how long each file of journeys took, by which they are dealt out (run/deal.ts). */
const keepTimings = ({ files }: Outcome) => {
  const seconds = files.map(one => [one.file.replace('tests/e2e/', ''), Math.round(one.seconds)])
  const sorted = Object.fromEntries(seconds.sort())
  writeFileSync(join(root, 'tests/e2e/timings.json'), `${JSON.stringify(sorted, null, 2)}\n`)
}
const journeys = async (change?: Change): Promise<Done> => {
  if (change?.journeys.length === 0) return untouched(nothing)
  const browser = await findBrowser()
  if (browser === undefined)
    return { ...nothing, failed: 1, why: 'no Chromium, and none could be installed' }
  return settle(await playwright(browser, change?.journeys), fault =>
    playwrightAgain(browser, fault),
  )
}

/** Runs what the arguments ask for; answers the exit code. */
export const main = async ({ build, checks }: Given, args: readonly string[]): Promise<number> => {
  if (args.includes('--bench')) {
    build()
    return bench()
  }
  if (args.includes('--soak')) {
    mkdirSync(results, { recursive: true })
    build()
    return soak(args)
  }
  const began = performance.now()
  const only = args.find(each => each.startsWith('--only='))?.slice('--only='.length)
  const change = args.includes('--changed') ? changeOf() : undefined
  const { steps, step, wanted } = openSteps(only?.split(','))
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })

  // Two at a time, as each has a processor to itself; the slowest are named first.
  const two = pLimit(2)
  const checking = Object.entries(checks).map(([name, args]) =>
    two(() => step(name, () => check(args))),
  )
  await Promise.all(checking)
  await step('unit', () => tests(['unit'], change))
  // Before the server's tests: some of them start the built one.
  const forServers = ['build', 'lite', 'postgres', 'e2e'].some(wanted)
  await step('build', () => built(build), forServers)
  const onDatabases = databases.filter(wanted)
  await step('server', () => tests(onDatabases, change), onDatabases.length > 0)
  await step('e2e', () => journeys(change))

  const e2e = steps.find(({ name }) => name === 'e2e')
  if (e2e && args.includes('--timings')) keepTimings(e2e)
  title('all')
  for (const line of summary(steps, (performance.now() - began) / 1000)) console.log(line)
  return verdict(steps).ok ? 0 : 1
}

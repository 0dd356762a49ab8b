import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openWorkers, threadOf, type Bounds } from '#src/server/files/workers.ts'

const file = new URL('../farm/spinner.ts', import.meta.url)
const opened: { close: () => Promise<void> }[] = []
const open = (of: Partial<Bounds> = {}) => {
  const workers = openWorkers<string, unknown>(heap_mb => threadOf(file, heap_mb), {
    threads: 1,
    ms: 700,
    heap_mb: 64,
    waiting: 3,
    waiting_bytes: 100,
    waiting_ms: 60_000,
    ...of,
  })
  opened.push(workers)
  return workers
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

describe('work beside the process’s own thread', () => {
  it('is answered, and whatever ends a job, the next one is done', async () => {
    const workers = open({ ms: 20_000, waiting: 10, waiting_bytes: 1000 })
    expect(
      await Promise.all(
        ['answer', 'throw', 'answer', 'die', 'answer', 'grow', 'answer'].map(job =>
          workers.ask(job, 1),
        ),
      ),
    ).toEqual([
      { result: 42 },
      { stopped: 'broken' },
      { result: 42 },
      { stopped: 'broken' },
      { result: 42 },
      { stopped: 'memory' },
      { result: 42 },
    ])
  })
  it('is stopped after its time, while others have their turn and the next one is done', async () => {
    const workers = open()
    let turns = 0
    let over = false
    const spun = workers.ask('spin', 1).then(done => {
      over = true
      return done
    })
    const next = workers.ask('answer', 1)
    while (!over) {
      await turn()
      turns++
    }
    // Held up by the job, this thread would have had one turn.
    expect(turns).toBeGreaterThan(100)
    expect(await Promise.all([spun, next])).toEqual([{ stopped: 'time' }, { result: 42 }])
  })
  it('waits in a queue that ends: by jobs, and by the bytes of their files', async () => {
    const byJobs = open()
    const asked = Array.from({ length: 6 }, () => byJobs.ask('answer', 1))
    const said = await Promise.all(asked)
    expect(said.filter(one => 'result' in one)).toHaveLength(3)
    expect(said.filter(one => 'stopped' in one && one.stopped === 'busy')).toHaveLength(3)
    const byBytes = open()
    // A single file is taken whatever its size, as another bound refuses it.
    expect(await Promise.all([byBytes.ask('answer', 5000), byBytes.ask('answer', 1)])).toEqual([
      { result: 42 },
      { stopped: 'busy' },
    ])
    expect(await byBytes.ask('answer', 1)).toEqual({ result: 42 })
  })
  it('does not wait for ever', async () => {
    const workers = open({ waiting_ms: 300 })
    const [, late] = await Promise.all([workers.ask('spin', 1), workers.ask('answer', 1)])
    expect(late).toEqual({ stopped: 'busy' })
  })
  it('that can’t even begin is told, not waited for', async () => {
    const workers = openWorkers<string, unknown>(
      heap_mb => threadOf(new URL('nothing-there.ts', file), heap_mb),
      { threads: 1, ms: 700, heap_mb: 64, waiting: 3, waiting_bytes: 100, waiting_ms: 60_000 },
    )
    opened.push(workers)
    expect(await workers.ask('answer', 1)).toEqual({ stopped: 'broken' })
  })
})

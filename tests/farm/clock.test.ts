import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../e2e')
const journeys = readdirSync(folder).filter(file => file.endsWith('.e2e.ts'))
const BEGIN = Date.parse(process.env.TEST_CLOCK ?? '2026-11-18T10:30:00+08:00')
const HALF_AN_HOUR = 1_800_000

test('every journey’s pages go by the run’s clock: its test is the desk’s', () => {
  expect(journeys.length).toBeGreaterThan(20)
  const ownTest = journeys.filter(file =>
    /import \{[^}]*\btest\b[^}]*\} from '@playwright\/test'/.test(
      readFileSync(join(folder, file), 'utf8'),
    ),
  )
  expect(ownTest).toEqual([])
})
test('this process and what it starts go by the run’s clock', () => {
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { encoding: 'utf8' })
  for (const at of [Date.now(), new Date().getTime(), Number(stdout)]) {
    expect(at).toBeGreaterThanOrEqual(BEGIN)
    expect(at).toBeLessThan(BEGIN + HALF_AN_HOUR)
  }
})

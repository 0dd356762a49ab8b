import { expect, it } from 'vitest'
import { canReverse } from '#src/areas/points/points.ts'

const row = {
  kind: 'earn',
  biz_kind: 'buy',
  reversed_by: null,
  delta: 100,
  over: 0,
  taken: 0,
} as const
it.each([
  [{}, true],
  [{ over: 99 }, true],
  [{ kind: 'adjust', delta: -5 }, true],
  [{ kind: 'reverse' }, false],
  [{ reversed_by: 7 }, false],
  [{ biz_kind: 'merge', kind: 'adjust' }, false],
  [{ kind: 'expire', delta: -5 }, false],
  [{ kind: 'freeze', delta: -5 }, false],
  [{ kind: 'spend', delta: 0 }, false],
  [{ kind: 'back' }, false],
  [{ over: 100 }, false],
  [{ over: 40, taken: 60 }, false],
] as const)('a row like %o can be reversed: %s', (more, may) => {
  expect(canReverse({ ...row, ...more }) === true).toBe(may)
})

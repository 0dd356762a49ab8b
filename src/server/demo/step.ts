import type { Offered } from '#src/areas/audit/audits.demo.ts'
import type { Trade } from '#src/areas/merchant/trade.demo.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Random } from './random.ts'

/** What every step of the demo finds: places, people, merchants, members and what they offer. */
export type World = {
  /** Unix seconds that the data grows up to. */
  now: number
  /** 1 is 60,000 orders. */
  scale: number
  cityIds: readonly number[]
  storeIds: readonly number[]
  people: readonly Person[]
  trade: Trade
  offers: readonly Offered[]
  /** Members are numbered from 1 up to this. */
  memberCount: number
  /** The file of code keys, where there is one. */
  codeKeys?: string | undefined
  /** Hears of rows that are written, for a step that takes long. */
  done: (rows: number) => void
}

/** Demo data of an area: found in `src/areas/…/*.demo.ts`, as `export const demo`. */
export type DemoStep = {
  /** Steps run from the smaller number to the larger; orders come at 60. */
  place: number
  /** Its chance is drawn apart from that of every other step. */
  branch: string
  /** What the start-up says meanwhile, where it takes long. */
  title?: string
  run: (db: Db, random: Random, world: World) => Promise<unknown>
}

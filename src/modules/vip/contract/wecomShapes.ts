import { z } from 'zod'
import {
  changeKinds,
  staffStates,
  syncKinds,
  syncStates,
  transferKinds,
  transferStates,
} from '#src/areas/wecom/wecom.ts'
import { id, keysOf, unix } from '#src/contract/shapes.ts'

/** A run that brings the mirror up to date, and how far it is. */
export const syncRun = z.object({
  id,
  kind: keysOf(syncKinds),
  state: keysOf(syncStates),
  read_n: z.int(),
  changed_n: z.int(),
  errcode: z.int(),
  error: z.string(),
  faults: z.array(z.object({ key: z.string(), why: z.string() })),
  started_at: unix,
  finished_at: unix.nullable(),
})
export const syncStarted = z.object({ run: syncRun, joined: z.boolean() })
/** What differs from the run before, or was bound by hand. */
export const changeRow = z.object({
  id,
  object: z.enum(['department', 'staff']),
  name: z.string(),
  kind: keysOf(changeKinds),
  was: z.string(),
  now: z.string(),
  at: unix,
})
export const staffState = keysOf(staffStates)
/** A colleague to choose. */
export const staffPick = z.object({ id, name: z.string(), userid: z.string(), place: z.string() })
/** A hand-over, and what WeCom said of it. */
export const transferRow = z.object({
  id,
  kind: keysOf(transferKinds),
  what: z.string(),
  from_name: z.string(),
  to_name: z.string(),
  status: keysOf(transferStates),
  fail_code: z.int(),
  fail_reason: z.string(),
  sent_at: unix.nullable(),
  created_at: unix,
  done_at: unix.nullable(),
})

import { z } from 'zod'
import { REASON_MAX, rejectCodes, type RejectCode } from '#src/areas/audit/audit.ts'
import {
  PRACTICE_SIZE,
  practiceFaultNames,
  practiceVerdicts,
  type PracticeVerdict,
} from '#src/areas/audit/practice.ts'
import { read, write } from '#src/contract/call.ts'
import { id, lines, listOf, unix } from '#src/contract/shapes.ts'
import {
  auditDetail,
  auditItem,
  claimNextInput,
  claimNextOutput,
  countsInput,
  countsOutput,
  listInput,
} from '#src/modules/audit/contract.ts'

const permit = 'audit.practice.view'
const touches = ['practice'] as const
/** A submission's number within its round: the number of a real task means nothing here. */
const no = z.int().min(1).max(PRACTICE_SIZE)
const round = z.int().min(1).max(100_000)
const verdict = z.enum(Object.keys(practiceVerdicts) as [PracticeVerdict, ...PracticeVerdict[]])
const code = z.enum(Object.keys(rejectCodes) as [RejectCode, ...RejectCode[]])

/** What was decided of one submission, and what would have been right. */
const lesson = z.object({
  id: no,
  title: z.string(),
  fault: z.enum(practiceFaultNames),
  verdict,
  codes: z.array(code),
  right: z.boolean(),
  /** Right at the first try, which alone counts. */ first: z.boolean(),
  tries: z.int(),
  seconds: z.int(),
  by: z.enum(['keys', 'mouse']),
})
export type Lesson = z.output<typeof lesson>

/**
 * 练习审核: the queue of group-buys once more, on submissions that exist nowhere. None of it is logged,
 * counted or kept for undoing.
 */
export const practice = {
  lst: read('audit/practice/lst', ['练习列表', 'Practice queue'], {
    input: listInput,
    output: listOf(auditItem),
    touches,
    scope: 'own',
    permit,
  }),
  counts: read('audit/practice/counts', ['练习计数', 'Practice counts'], {
    input: countsInput,
    output: countsOutput,
    touches,
    scope: 'own',
    permit,
  }),
  detail: read('audit/practice/detail', ['练习详情', 'Practice detail'], {
    input: z.object({ id }),
    output: auditDetail,
    touches,
    scope: 'own',
    permit,
  }),
  /**
   * Where I stand: the round, its score, what was right; and what I did before it.
   */
  mine: read('audit/practice/mine', ['练习进度', 'Practice progress'], {
    input: z.object({}),
    touches,
    scope: 'own',
    permit,
    output: z.object({
      round,
      size: z.int(),
      decided: z.int(),
      /** Right at the first try. */ right: z.int(),
      seconds_each: z.int().nullable(),
      by_keys: z.int(),
      lessons: z.array(lesson),
      last: no.nullable(),
      rounds_done: z.int(),
      best: z.int().nullable(),
      /** Has decided a real task. */ decided_real: z.boolean(),
      finished_at: unix.nullable(),
    }),
  }),
  claimNext: write('audit/practice/claimNext', ['练习：领取下一条', 'Practice: claim next'], {
    input: claimNextInput,
    output: claimNextOutput,
    touches,
    scope: 'own',
    permit,
    quiet: true,
  }),
  claim: write('audit/practice/claim', ['练习：领取', 'Practice: claim'], {
    input: z.object({ round, id: no }),
    output: z.object({ id: no }),
    touches,
    scope: 'own',
    permit,
    quiet: true,
  }),
  decide: write('audit/practice/decide', ['练习：判断', 'Practice: decide'], {
    input: z.object({
      round,
      id: no,
      verdict,
      codes: z.array(code).max(9).default([]),
      reason: lines(REASON_MAX, 0).optional(),
      seconds: z.int().min(0).max(36_000),
      by: z.enum(['keys', 'mouse']),
    }),
    output: lesson,
    touches,
    scope: 'own',
    permit,
    quiet: true,
  }),
  /** Opens the one decided last again; the first decision stays the one that counts. */
  takeBack: write('audit/practice/takeBack', ['练习：收回判断', 'Practice: take back'], {
    input: z.object({ round }),
    output: z.object({ id: no }),
    touches,
    scope: 'own',
    permit,
    quiet: true,
  }),
  next: write('audit/practice/next', ['练习：下一轮', 'Practice: next round'], {
    input: z.object({ round }),
    output: z.object({ round }),
    touches,
    scope: 'own',
    permit,
    quiet: true,
  }),
}

import { describe, expect, it } from 'vitest'
import { auditRules, rejectCodes } from '#src/areas/audit/audit.ts'
import { madeFor } from '#src/areas/audit/practice.server.ts'
import {
  PRACTICE_SIZE,
  isRight,
  plantedIn,
  practiceFaultNames,
  practiceFaults,
  practiceVerdicts,
  type PracticeVerdict,
} from '#src/areas/audit/practice.ts'

const NOW = 1_780_000_000
const rounds = Array.from({ length: 30 }, (_, i) => madeFor(7 + (i % 5), 1 + i, NOW))

describe('a round of practice', () => {
  it('has eight submissions, three of which may pass; two rounds show every fault', () => {
    expect(
      rounds.map(round => [
        round.length,
        round.filter(one => practiceFaults[one.fault].right[0] === 'approve').length,
      ]),
    ).toEqual(rounds.map(() => [PRACTICE_SIZE, 3]))
    expect(new Set([...plantedIn(1), ...plantedIn(2)])).toEqual(new Set(practiceFaultNames))
  })
  it('is the same for a person and a round, and another for others', () => {
    expect(madeFor(7, 1, NOW)).toEqual(madeFor(7, 1, NOW + 60))
    expect(madeFor(8, 1, NOW).map(one => one.body.title)).not.toEqual(
      madeFor(7, 1, NOW).map(one => one.body.title),
    )
    expect(madeFor(7, 3, NOW).map(one => one.body.title)).not.toEqual(
      madeFor(7, 1, NOW).map(one => one.body.title),
    )
  })
  it('breaks in each submission the real rule that was planted, and no other', () => {
    for (const one of rounds.flat()) {
      const { rule } = practiceFaults[one.fault]
      expect([one.fault, one.body.title, one.found.map(found => found.rule)]).toEqual([
        one.fault,
        one.body.title,
        rule ? [rule] : [],
      ])
    }
  })
  it('plants nothing that forbids into what may pass', () => {
    for (const one of rounds
      .flat()
      .filter(made => practiceFaults[made.fault].right.includes('approve')))
      expect(one.found.filter(found => found.level !== 'warn')).toEqual([])
  })
})
describe('every fault', () => {
  it.each(practiceFaultNames)(
    '%s names rules and codes that there are, says why and where in both languages, and is told right from wrong',
    fault => {
      const of = practiceFaults[fault]
      for (const text of [of.why, of.look])
        expect([/\p{Script=Han}/u.test(text[0]), /^[^\p{Script=Han}]+$/u.test(text[1])]).toEqual([
          true,
          true,
        ])
      if (of.rule) expect(Object.hasOwn(auditRules, of.rule)).toBe(true)
      for (const code of of.codes ?? []) expect(Object.hasOwn(rejectCodes, code)).toBe(true)
      for (const verdict of Object.keys(practiceVerdicts) as PracticeVerdict[])
        expect(isRight(fault, verdict, [...(of.codes ?? [])])).toBe(of.right.includes(verdict))
      if (of.right.includes('reject'))
        expect([
          isRight(fault, 'reject', ['other']),
          isRight(fault, 'reject', ['other', of.codes![0]!]),
        ]).toEqual([false, true])
    },
  )
})

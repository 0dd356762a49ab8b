// It is @drawn: it listens to what its page asks.
import { expect, it } from 'vitest'
import { startsWithZeros } from '#src/areas/people/proofOfWork.ts'
import { solve } from '#src/shell/session/solver.ts'
import { answers } from '../help/work.ts'

it('a hash begins with as many zero bits as are asked for', () => {
  const hash = (...bytes: number[]) => Uint8Array.from([...bytes, 255])
  expect(startsWithZeros(hash(0b0000_0001), 7)).toBe(true)
  expect(startsWithZeros(hash(0b0000_0010), 7)).toBe(false)
  expect(startsWithZeros(hash(0, 0b0001_0000), 11)).toBe(true)
  expect(startsWithZeros(hash(0, 0b0010_0000), 11)).toBe(false)
  expect(startsWithZeros(hash(1, 0), 11)).toBe(false)
})
it('the browser finds a number that the server takes', () => {
  const challenge = { captcha_id: '00aa.1793000000.sign', bits: 4 }
  expect(answers(challenge, Number(solve(challenge)))).toBe(true)
})

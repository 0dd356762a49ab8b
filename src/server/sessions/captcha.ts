import { createHash, randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, lt } from 'drizzle-orm'
import { captcha } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'

/** Strokes on a grid of 4 × 6; letters and digits that are not taken for one another. */
const strokes: Readonly<Record<string, string>> = {
  '2': '0,1 1,0 3,0 4,1 4,2 0,6 4,6',
  '3': '0,0 4,0 2,2 4,4 3,6 1,6 0,5',
  '4': '3,6 3,0 0,4 4,4',
  '6': '4,0 1,1 0,4 1,6 3,6 4,4 3,3 0,4',
  '7': '0,0 4,0 1,6',
  '9': '4,3 1,3 0,1 1,0 3,0 4,1 4,4 2,6',
  A: '0,6 2,0 4,6 3,4 1,4',
  C: '4,1 3,0 1,0 0,2 0,4 1,6 3,6 4,5',
  E: '4,0 0,0 0,3 3,3 0,3 0,6 4,6',
  F: '4,0 0,0 0,3 3,3 0,3 0,6',
  H: '0,0 0,6 0,3 4,3 4,0 4,6',
  J: '1,0 4,0 3,0 3,5 2,6 0,5',
  K: '0,0 0,6 0,3 4,0 1,3 4,6',
  L: '0,0 0,6 4,6',
  M: '0,6 0,0 2,3 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 3,3 0,3',
  R: '0,6 0,0 3,0 4,1 3,3 0,3 4,6',
  T: '0,0 4,0 2,0 2,6',
  U: '0,0 0,5 1,6 3,6 4,5 4,0',
  X: '0,0 4,6 2,3 4,0 0,6',
  Y: '0,0 2,3 4,0 2,3 2,6',
}
const letters = Object.keys(strokes)
const LENGTH = 4
const LIVES_S = 120

const hashOf = (id: string, answer: string) =>
  createHash('sha256').update(`${id}:${answer.toUpperCase()}`).digest('hex')
const around = (by: number) => (randomInt(0, 2001) / 1000 - 1) * by

const drawn = (letter: string, i: number): string => {
  const [x, y, turn, size] = [
    18 + i * 34 + around(4),
    12 + around(5),
    around(0.35),
    4.6 + around(0.6),
  ]
  const points = strokes[letter]!.split(' ').map(point => {
    const [px, py] = point.split(',').map(n => Number(n) * size + around(1.1)) as [number, number]
    return `${(x + px * Math.cos(turn) - py * Math.sin(turn)).toFixed(1)},${(y + px * Math.sin(turn) + py * Math.cos(turn)).toFixed(1)}`
  })
  return `<polyline points="${points.join(' ')}" stroke-width="${(2.4 + around(0.6)).toFixed(1)}"/>`
}
const noise = () =>
  `<path d="M0,${randomInt(5, 45)} C50,${randomInt(0, 50)} 100,${randomInt(0, 50)} 160,${randomInt(5, 45)}" stroke-width="1.4" opacity="0.7"/>`

/** Draws letters to read and keeps their hash for two minutes. */
export const drawCaptcha = async (
  db: Db,
  now: number,
): Promise<{ captcha_id: string; svg: string }> => {
  const captcha_id = randomBytes(12).toString('hex')
  const answer = Array.from({ length: LENGTH }, () => letters[randomInt(letters.length)]!)
  await db.delete(captcha).where(lt(captcha.expires_at, now))
  await db.insert(captcha).values({
    id: captcha_id,
    answer_hash: hashOf(captcha_id, answer.join('')),
    expires_at: now + LIVES_S,
  })
  return {
    captcha_id,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="50" viewBox="0 0 160 50" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${answer.map(drawn).join('')}${noise()}${noise()}</svg>`,
  }
}

/** True when the letters were read right. Either way the picture is used up. */
export const readCaptcha = async (
  db: Db,
  id: string | undefined,
  answer: string | undefined,
  now: number,
): Promise<boolean> => {
  if (!id || !answer) return false
  const used = await db
    .delete(captcha)
    .where(and(eq(captcha.id, id), gt(captcha.expires_at, now)))
    .returning({ answer_hash: captcha.answer_hash })
  return used[0]?.answer_hash === hashOf(id, answer.trim())
}

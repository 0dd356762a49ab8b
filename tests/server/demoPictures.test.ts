import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditSettings } from '#src/areas/audit/audit.ts'
import { drawPictures, picturesOf, type Picture } from '#src/server/demo/pictures.ts'
import { randomFrom } from '#src/server/demo/random.ts'
import { goods, trades } from '#src/server/demo/words.ts'

let folder: string
let drawn: ReadonlyMap<string, Picture>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mallet-pictures-'))
  drawn = new Map((await drawPictures(randomFrom(1), folder)).map(one => [one.file_key, one]))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const all = [
  ...trades.map((one, at) => [one.name, picturesOf(at, false)] as const),
  ...goods.map((one, at) => [one.name, picturesOf(at, true)] as const),
]
it.each(all)('%s has pictures of its own, none of which passes for a blurred one', (_, keys) => {
  const pictures = keys.map(key => drawn.get(key))
  expect(new Set(pictures.map(one => one?.sha256)).size).toBe(keys.length)
  for (const one of pictures)
    expect(one!.sharpness_x100).toBeGreaterThan(auditSettings.sharpness_min_x100)
})

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = 'src/server/db/migrations/meta'
test('the last migration’s snapshot stands alone: nothing asks for the ones before it', () => {
  const { entries } = JSON.parse(readFileSync(`${folder}/_journal.json`, 'utf8')) as {
    entries: { tag: string }[]
  }
  const last = entries.at(-1)!.tag.slice(0, 4)
  expect(readdirSync(folder).filter(file => file !== '_journal.json')).toEqual([
    `${last}_snapshot.json`,
  ])
})

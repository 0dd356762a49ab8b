import { expect } from 'vitest'
import { page_link } from '#src/areas/content/content.table.ts'
import { upload } from '#src/areas/export/job.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { entry as calls, type EntryRow } from '#src/modules/config/contract/entry.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'

export type One = { id: number; version: number }
type Called = Parameters<typeof send>[1]
export const ICON = 'test/entry.png'
export const heldOf = ({ id, version }: One): One => ({ id, version })
let made = 0

/** A server of its own with a person who may do everything, and what makes cities and entries. */
export const entryBench = async () => {
  const database = await openCopy({ poolSize: 20 })
  const app = await openApp(database)
  const { token } = await addStaff(database, { perms: ['*'] })
  const call = (what: Called, input: object = {}, as = token) =>
    send(app, what, input, { token: as })
  const done = async (what: Called, input: object, as = token) => {
    const said = await call(what, input, as)
    expect(said.status, said.message).toBe(200)
    return said.data
  }
  const freshCity = async (): Promise<number> => {
    const nth = ++made
    const [one] = await database.db
      .insert(city)
      .values({
        city_name: `入口城${nth}`,
        adcode: String(830_000 + nth),
        initial: 'R',
        pinyin: `rukoucheng${nth}`,
        lng: '116.4',
        lat: '39.9',
        status: 'open',
      })
      .returning({ id: city.id })
    return one!.id
  }
  const freshLink = async (of: Partial<typeof page_link.$inferInsert> = {}): Promise<number> => {
    const [one] = await database.db
      .insert(page_link)
      .values({
        name: `入口链接${++made}`,
        type: 'h5',
        path: `https://mallet.example/entry/${made}`,
        health: 'ok',
        ...of,
      })
      .returning({ id: page_link.id })
    return one!.id
  }
  await database.db.insert(upload).values({
    file_key: ICON,
    mime: 'image/png',
    size_bytes: 4000,
    width: 128,
    height: 128,
    sha256: 'e'.repeat(64),
  })
  const link = await freshLink()
  const fields = (of: object = {}) => ({
    title: `入${++made}`,
    icon: ICON,
    page_link_id: link,
    ...of,
  })
  const create = (city_id: number, of: object = {}): Promise<One> =>
    done(calls.create, { city_id, ...fields(of) })
  const online = (one: One): Promise<One> => done(calls.online, one)
  const board = (city_id: number): Promise<{ list: EntryRow[]; list_version: number }> =>
    done(calls.lst, { city_id })
  return {
    database,
    link,
    call,
    done,
    refused: async (what: Called, input: object): Promise<string> => {
      const said = await call(what, input)
      expect(said.status).toBe(422)
      return said.data.rule
    },
    faults: async (what: Called, input: object): Promise<string[]> => {
      const said = await call(what, input)
      expect(said.status).toBe(400)
      return Object.keys(said.data.fields)
    },
    freshCity,
    freshLink,
    fields,
    create,
    online,
    live: async (city_id: number, of: object = {}): Promise<One> =>
      online(await create(city_id, of)),
    board,
    rowOf: async (city_id: number, { id }: { id: number }): Promise<EntryRow> =>
      (await board(city_id)).list.find(row => row.id === id)!,
    titles: async (city_id: number): Promise<string[]> =>
      (await done(calls.shown, { city_id })).list.map((row: { title: string }) => row.title),
  }
}

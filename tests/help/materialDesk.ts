import { beforeAll, expect } from 'vitest'
import { upload } from '#src/areas/export/job.table.ts'
import type { Call } from '#src/contract/call.ts'
import {
  customerMaterials as calls,
  type MaterialRow,
} from '#src/modules/customer/contract/material.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'

const perms = ['customer.material.*', 'channel.welcome.*', 'channel.groupsWelcome.*']
export const PICTURE = 'test/material.png'
export const FILE = 'test/material.pdf'
const link = (title = '活动', url = 'https://m.mallet.example/a') => ({
  kind: 'link',
  title,
  desc: '',
  url,
})
/** A material as it is sent: a link, where nothing else is said. */
const written = (more: object = {}) => ({
  title: '试用素材',
  category: '试用',
  valid_to_at: null,
  body: link(),
  ...more,
})
/** Materials over HTTP by one who may do all with them, on a database of the file's own. */
export const materialDesk = () => {
  const desk = {} as {
    database: Database
    app: App
    me: Awaited<ReturnType<typeof addStaff>>
  }
  beforeAll(async () => {
    desk.database = await openCopy()
    desk.app = await openApp(desk.database)
    desk.me = await addStaff(desk.database, { perms })
    await desk.database.db.insert(upload).values(
      [
        { file_key: PICTURE, mime: 'image/png', size_bytes: 100 },
        { file_key: FILE, mime: 'application/pdf', size_bytes: 100 },
        { file_key: 'test/large.pdf', mime: 'application/pdf', size_bytes: 21 * 1024 * 1024 },
      ].map(one => ({ ...one, sha256: 'x' })),
    )
  }, 120_000)
  let keys = 0
  const call = (what: Call, input: object, token = desk.me.token) =>
    send(desk.app, what, input, { token, key: `material-${++keys}` })
  const done = async (what: Call, input: object) => {
    const said = await call(what, input)
    expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
    return said.data
  }
  const row = async (id: number): Promise<MaterialRow> => (await done(calls.lst, { id })).list[0]
  const one = async (id: number) => ({ id, version: (await row(id)).version })
  const made = async (more: object = {}): Promise<number> =>
    (await done(calls.create, written(more))).id
  const on = async (more: object = {}): Promise<number> => {
    const id = await made(more)
    await done(calls.enable, await one(id))
    return id
  }
  /** A word that no other test of the file has. */
  const fresh = (before: string) => `${before}${keys}`
  return { desk, call, done, row, one, made, on, fresh, link, written }
}

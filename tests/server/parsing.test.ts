import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { beforeAll, expect, it } from 'vitest'
import { elist } from '#src/modules/order/contract/elist.ts'
import type { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { workbookOf } from '../help/workbook.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['order.elist.*'] })
})
const read = (file: Buffer) =>
  send(app, elist.readSheet, { file: file.toString('base64') }, { token: me.token })
const health = () => app.fastify.inject({ method: 'GET', url: '/healthz' })

it('while a file is read that takes long, whoever else calls is answered', async () => {
  const rows = Array.from({ length: 1500 }, (_, at) =>
    Array.from({ length: 12 }, (_, column) => String((at * 31 + column * 7) % 100_003)),
  )
  let over = false
  const reading = read(workbookOf(rows)).then(said => {
    over = true
    return said
  })
  const answered: number[] = []
  // Held up by the file, the first of them would be answered after it.
  while (!over) {
    answered.push((await health()).statusCode)
    await sleep(10)
  }
  expect((await reading).data.fault).toContain('订单号')
  expect(answered.length).toBeGreaterThan(5)
  expect(new Set(answered)).toEqual(new Set([200]))
})
it('the worst files at once are refused for what they are, each soon, and the next one is read', async () => {
  const slow = Buffer.from(
    zipSync({ 'xl/worksheets/sheet1.xml': Buffer.from('<'.repeat(8_000_000)) }),
  )
  const said = await Promise.all(Array.from({ length: 20 }, () => read(slow)))
  for (const one of said) expect(one.data.fault).toContain('解压后过大')
  expect((await read(Buffer.from('订单号,快递单号\nEL1,SF1'))).data.fault).toBeNull()
})
it('where more files wait than may, the next one is to be tried again, and says so', async () => {
  const asked = Array.from({ length: 40 }, () =>
    parseFile('parcels', { file: Buffer.from('订单号,快递单号\nEL1,SF1') }).then(
      () => undefined,
      (error: Refusal) => [error.status, error.in('zh'), error.in('en')],
    ),
  )
  const refused = (await Promise.all(asked)).filter(one => one !== undefined)
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(String)).size).toBe(1)
  expect(refused[0]).toEqual([
    503,
    expect.stringContaining('请稍后重试'),
    expect.stringContaining('try again'),
  ])
})

import { urlOf, type Call, type Result } from '#src/contract/call.ts'
import { toQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { session } from '#src/modules/session/contract.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { seedDemo } from '#src/server/demo/seed.ts'
import { buildApp } from '#src/server/http/app.ts'
import { openSession, usualLimits } from '#src/server/sessions/sessions.ts'
import { machine } from './house/src/modules/kiosk/contract.ts'

// `node --import ./src/source.mjs tests/planted/server.ts URL FOLDER` in a copy of the source: what
// a server on an empty database answers about the planted module, as JSON.
const [url, folder] = process.argv.slice(2) as [string, string]
/** The demo's administrator, who may do everything. */
const ADMIN = 1

const database = await openDatabase({ url })
await migrate(database)
await seedDemo(database.db, { seed: 7, scale: 0.001 })
const app = await buildApp({ database, modules: implementations, folder })
const { token } = await openSession(
  database.db,
  { admin_id: ADMIN, region: 'pro', ip: '10.0.0.1', ua: 'test', now: unixNow() },
  usualLimits,
)
const headers = { 'authori-zation': `Bearer ${token}`, region: 'pro' }
const ask = async <C extends Call>(call: C, input: object = {}): Promise<Result<C>> => {
  const answer = await app.fastify.inject({
    method: call.method,
    url: urlOf(call) + (call.method === 'GET' ? `?${toQuery(input)}` : ''),
    headers,
    ...(call.method === 'POST' && { payload: input }),
  })
  return (answer.json() as { data: Result<C> }).data
}
const { list: demo } = await ask(machine.lst)
const done = await ask(machine.disable, { id: demo[0]!.id, version: 0, reason: '搬迁' })
const { list: log } = await ask(logs.objectHistory, { object_type: 'kiosk', object_id: 1 })
const { modules } = await ask(role.tree)
const { list: holders } = await ask(role.lst, { permit: machine.lst.permit })
const documented = (await app.fastify.inject({ url: '/api/docs.json', headers })).json() as {
  paths: object
}
export const told = {
  demo,
  done,
  log,
  menu: await ask(session.menu),
  rights: modules,
  holders: holders.map(one => one.code),
  docs: documented.paths,
}
await app.close()
await database.close()
process.stdout.write(`\n${JSON.stringify(told)}\n`, () => process.exit(0))

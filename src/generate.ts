import { generateOrders } from '#src/areas/order/generate.demo.ts'
import { prepareDemo } from '#src/server/demo/firstDemo.ts'
// `npm run generate -- --orders 1000000`: grows the demo's orders in the PostgreSQL of
// DATABASE_URL, to see how the console fares with many.
import { readConfig } from '#src/server/http/config.ts'
import { openDatabase } from './server/db/database.ts'

const at = process.argv.indexOf('--orders')
const orders = Number(process.argv[at + 1])
const url = process.env['DATABASE_URL']
if (at < 0 || !Number.isSafeInteger(orders) || orders < 1 || !url) {
  console.error(
    'DATABASE_URL=postgres://… npm run generate -- --orders N\nN 是订单总数；数据库须为空，或只有演示数据。演示账号的密码众所周知，请勿对外开放此库。\nN is how many orders there are to be; the database must be empty or hold demo data. The demo accounts’ password is known to everybody: open it to nobody.',
  )
  process.exit(2)
}
const database = await openDatabase({ url })
const began = Date.now()
try {
  await prepareDemo(database, readConfig(process.env))
  await generateOrders(database, {
    orders,
    progress: made =>
      process.stdout.write(
        `\r${made.toLocaleString('en')} / ${orders.toLocaleString('en')}  ${Math.round((Date.now() - began) / 1000)} s `,
      ),
  })
  console.log('')
} catch (error) {
  console.error(
    error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : error,
  )
  process.exitCode = 1
} finally {
  await database.close()
}

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Action, Page } from '#commands/command.ts'
import { commandsOf } from '#commands/contents.ts'
import { modules } from '#commands/index.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { merchantRoutes, type MerchantRole } from './menu.ts'
import { lockTree, stale } from './people.server.ts'
import { menu } from './people.table.ts'
import { open } from './permits.server.ts'

type Row = typeof menu.$inferSelect
/** The trees of the menu table, each with its lock: the console's own, and the merchants' app's. */
const trees = { ops: 2, merchant: 3 } as const
type Side = keyof typeof trees
export const lockMenu = (tx: Db, side: Side) => lockTree(tx, trees[side])
export const menuRows = (db: Db, side: Side) =>
  db.select().from(menu).where(eq(menu.side, side)).orderBy(menu.sort, menu.id)
/**
 * A tree locked, with the row as it was read; a version that is not the present one is refused with
 * what stands there, as `shown`.
 */
export const heldMenu = async (
  tx: Db,
  { side, object_type }: { side: Side; object_type: string },
  one: { id: number; version: number },
  shown: (row: Row) => object,
): Promise<{ row: Row; rows: Row[] }> => {
  await lockMenu(tx, side)
  const rows = await menuRows(tx, side)
  const row = rows.find(each => each.id === one.id)
  if (!row) throw missing()
  if (row.version !== one.version) throw await stale(tx, object_type, shown(row), one.id)
  return { row, rows }
}
type Wanted = Pick<
  typeof menu.$inferInsert,
  'type' | 'title' | 'en' | 'redirect' | 'perm' | 'visible' | 'keep_alive'
> & { key: string; parent: string | null }

const wide = (text: string, max: number) => [...text].slice(0, max).join('')
/**
 * The console's own list as menu rows: directories of modules, their pages, and the rights on each
 * page; a right is named once, by the first action that carries it.
 */
const wanted = (): Wanted[] => {
  const seen = new Set<string>()
  const once = (perm: string) => (open.has(perm) || seen.has(perm) ? null : (seen.add(perm), perm))
  return modules.flatMap(module => {
    const commands = commandsOf(module.commands)
    const pages = commands.filter((one): one is Page => one.kind === 'page')
    const actions = commands.filter((one): one is Action => one.kind === 'action')
    return [
      {
        key: `dir ${module.key}`,
        parent: null,
        type: 'dir' as const,
        title: module.title,
        en: module.en,
        redirect: '',
        perm: module.key,
        visible: true,
        keep_alive: false,
      },
      ...pages.flatMap((page): Wanted[] => {
        const key = `page ${page.path}`
        return [
          {
            key,
            parent: `dir ${module.key}`,
            type: 'page',
            title: wide(page.title, 32),
            en: wide(page.en, 64),
            redirect: page.path,
            perm: once(page.permit),
            visible: page.menu,
            keep_alive: page.keepAlive,
          },
          ...actions
            .filter(action => action.at === page)
            .flatMap((action): Wanted[] => {
              const perm = once(action.permit)
              return perm
                ? [
                    {
                      key: `action ${perm}`,
                      parent: key,
                      type: 'action',
                      title: wide(action.title, 32),
                      en: wide(action.en, 64),
                      redirect: '',
                      perm,
                      visible: true,
                      keep_alive: false,
                    },
                  ]
                : []
            }),
        ]
      }),
    ]
  })
}
const keyOf = (row: Pick<Row, 'type' | 'redirect' | 'perm'>) =>
  `${row.type} ${row.type === 'page' ? row.redirect : row.perm}`

/**
 * Adds what the console has and the table lacks, marks what the console no longer has, and takes
 * the mark from what came back. Deletes nothing, moves nothing.
 */
export const syncMenu = async (
  tx: Db,
  now: number,
): Promise<{ added: number; vanished: number; returned: number }> => {
  const rows = await tx.select().from(menu).where(eq(menu.side, 'ops'))
  const ids = new Map(rows.map(row => [keyOf(row), row.id]))
  const all = wanted()
  // All at once: a new installation has seven hundred. Their ids are drawn first, since rows name
  // their parents.
  const lacking = all.map((row, sort) => ({ ...row, sort })).filter(row => !ids.has(row.key))
  const drawn = (
    await tx.execute<{ id: number }>(
      sql`select nextval(pg_get_serial_sequence('menu', 'id'))::int id from generate_series(1, ${lacking.length}::int)`,
    )
  ).rows
  for (const [at, { key }] of lacking.entries()) ids.set(key, drawn[at]!.id)
  if (lacking.length > 0)
    await tx.insert(menu).values(
      lacking.map(({ key, parent, ...row }) => ({
        ...row,
        id: ids.get(key)!,
        side: 'ops' as const,
        parent_id: parent === null ? null : ids.get(parent)!,
        created_at: now,
        updated_at: now,
      })),
    )
  const names = new Set(all.map(one => one.key))
  // A directory that a person made is no module's, so it can't vanish.
  const gone = rows.filter(
    row =>
      row.vanished_at === null &&
      !(row.type === 'dir' && row.perm === null) &&
      !names.has(keyOf(row)),
  )
  const back = rows.filter(row => row.vanished_at !== null && names.has(keyOf(row)))
  for (const row of gone)
    await tx
      .update(menu)
      .set({ vanished_at: now, version: sql`${menu.version} + 1` })
      .where(and(eq(menu.id, row.id), isNull(menu.vanished_at)))
  for (const row of back)
    await tx
      .update(menu)
      .set({ vanished_at: null, version: sql`${menu.version} + 1` })
      .where(eq(menu.id, row.id))
  return { added: lacking.length, vanished: gone.length, returned: back.length }
}
/** How many entries a synchronisation would add. */
export const missingEntries = (
  rows: readonly Pick<Row, 'type' | 'redirect' | 'perm'>[],
): number => {
  const known = new Set(rows.map(keyOf))
  return wanted().filter(one => !known.has(one.key)).length
}

const all: MerchantRole[] = ['owner', 'manager', 'cashier', 'finance']
const shop: MerchantRole[] = ['owner', 'manager']
const money: MerchantRole[] = ['owner', 'finance']
/** The merchant app's tree: directory, then title, path and the roles that have it. */
const tree: readonly [string, readonly (readonly [string, string, MerchantRole[]])[]][] = [
  [
    '首页',
    [
      ['工作台', '/home', all],
      ['消息', '/message/list', all],
      ['联系平台', '/message/service', all],
    ],
  ],
  [
    '核销',
    [
      ['扫码核销', '/verify/scan', ['owner', 'manager', 'cashier']],
      ['输码核销', '/verify/input', ['owner', 'manager', 'cashier']],
      ['核销记录', '/verify/record', all],
      ['交班对账', '/verify/shift', ['owner', 'manager', 'cashier']],
    ],
  ],
  [
    '订单',
    [
      ['订单列表', '/order/list', all],
      ['订单详情', '/order/detail', all],
      ['订单备注', '/order/remark', shop],
      ['预约管理', '/order/booking', ['owner', 'manager', 'cashier']],
      ['退款处理', '/refund/list', ['owner', 'manager', 'finance']],
      ['退款详情', '/refund/detail', ['owner', 'manager', 'finance']],
      ['售后处理', '/aftersale/list', shop],
      ['同城配送', '/delivery/list', shop],
    ],
  ],
  [
    '商品',
    [
      ['团购', '/goods/bulks', shop],
      ['次卡', '/goods/card', shop],
      ['代金券', '/goods/voucher', shop],
      ['店内商品', '/goods/product', shop],
      ['发布商品', '/goods/create', shop],
      ['库存', '/goods/stock', shop],
      ['审核进度', '/goods/audit', shop],
    ],
  ],
  [
    '营销',
    [
      ['优惠券', '/marketing/coupon', shop],
      ['秒杀报名', '/marketing/seckill', shop],
      ['拼团报名', '/marketing/roll', shop],
      ['活动通知', '/marketing/notice', shop],
      ['直播间', '/live/room', ['owner']],
    ],
  ],
  [
    '结算',
    [
      ['账单', '/settle/bill', money],
      ['提现', '/settle/withdraw', money],
      ['结算账户', '/settle/account', ['owner']],
      ['开票', '/settle/invoice', money],
      ['费率说明', '/settle/fee', money],
    ],
  ],
  [
    '门店',
    [
      ['门店资料', '/store/info', shop],
      ['营业时间', '/store/hours', shop],
      ['环境照片', '/store/photos', shop],
      ['合同', '/store/contract', ['owner']],
      ['资质', '/store/qualification', ['owner']],
      ['评价', '/review/list', shop],
      ['店员', '/staff/list', shop],
      ['核销员', '/staff/verifier', shop],
    ],
  ],
  [
    '数据',
    [
      ['今日经营', '/data/today', ['owner', 'manager', 'finance']],
      ['经营趋势', '/data/trend', ['owner', 'manager', 'finance']],
      ['商品分析', '/data/goods', shop],
    ],
  ],
]
/** The merchant app's menu of a new installation: everything released to all. */
export const firstMerchantMenu = async (tx: Db, now: number): Promise<void> => {
  for (const [sort, [title, pages]] of tree.entries()) {
    const [dir] = await tx
      .insert(menu)
      .values({ side: 'merchant', type: 'dir', title, sort, created_at: now })
      .returning({ id: menu.id })
    await tx.insert(menu).values(
      pages.map(([name, redirect, packages], at) => ({
        side: 'merchant' as const,
        type: 'page' as const,
        parent_id: dir!.id,
        title: name,
        redirect,
        perm: `merchant${redirect.replaceAll('/', '.')}`,
        sort: at,
        packages,
        min_app_version: merchantRoutes[redirect]!,
        created_at: now,
      })),
    )
  }
}

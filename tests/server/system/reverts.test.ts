import { desc, eq, sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { admin as admins, role as roles } from '#src/areas/people/people.table.ts'
import type { Write } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { category } from '#src/modules/mall/contract/category.ts'
import { floor } from '#src/modules/mall/contract/floor.ts'
import { hots } from '#src/modules/mall/contract/hot.ts'
import { mall } from '#src/modules/mall/contract/index.ts'
import { settings } from '#src/modules/order/contract/settings.ts'
import { bulksMenu } from '#src/modules/system/contract/bulksMenu.ts'
import { city } from '#src/modules/system/contract/city.ts'
import { settings as citySettings } from '#src/modules/system/contract/citySettings.ts'
import { customer } from '#src/modules/system/contract/customer.ts'
import { department } from '#src/modules/system/contract/department.ts'
import { group } from '#src/modules/system/contract/group.ts'
import { h5link } from '#src/modules/system/contract/h5link.ts'
import { hlink } from '#src/modules/system/contract/hlink.ts'
import { logs } from '#src/modules/system/contract/logs.ts'
import { menu } from '#src/modules/system/contract/menu.ts'
import { menuKey } from '#src/modules/system/contract/menuKey.ts'
import { report } from '#src/modules/system/contract/report.ts'
import { role } from '#src/modules/system/contract/role.ts'
import { share } from '#src/modules/system/contract/share.ts'
import { staff } from '#src/modules/system/contract/staff.ts'
import { verify } from '#src/modules/system/contract/verify.ts'
import { warning } from '#src/modules/system/contract/warning.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, tokenOfAccount } from '../../help/app.ts'
import { toldTo } from '../../help/told.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let root: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: implementations })
  root = await tokenOfAccount(database, 'admin')
  await database.db.insert(admins).values({
    account: 'revert_me',
    name: '可改员工',
    phone: '13900006666',
    email: 'me@example.com',
    password_hash: 'x',
    department_id: 6,
    role_ids: [3],
  })
  await database.db
    .update(report_sub)
    .set({ owner_id: 1 })
    .where(sql`id = (select min(id) from report_sub)`)
  await database.db.insert(roles).values({
    name: '可改角色',
    code: 'revert_one',
    perms: ['audit.bulks.view'],
    scope_type: 'self',
    refund_limit_cents: 100_00,
  })
})
const lastRow = async () =>
  (await database.db.select().from(op_log).orderBy(desc(op_log.id)).limit(1))[0]!
const takeBack = (id: number, token = root) =>
  send(app, logs.revert, { id, reason: '改错了' }, { token })

type Row = Record<string, any>
/** One change of every kind that can be taken back: which row, by which call, with what. */
const changes: readonly [string, Write<any, any, any>, SQL, (row: Row) => object][] = [
  [
    'city',
    city.edit,
    sql`select * from city where status = 'open' limit 1`,
    row => ({
      id: row.id,
      version: row.version,
      city_name: `${row.city_name}新`,
      sort: row.sort + 3,
    }),
  ],
  [
    'service_contact',
    customer.edit,
    sql`select * from service_contact where type = 'phone' limit 1`,
    row => ({ ...row, city_id: row.city_id ?? 0, auto_reply: '稍后回复' }),
  ],
  [
    'share_card',
    share.save,
    sql`select * from share_card where city_id is null limit 1`,
    row => ({ ...row, city_id: 0, title_tpl: '来逛逛' }),
  ],
  [
    'share_card',
    share.setReward,
    sql`select * from share_card where city_id is null limit 1`,
    row => ({
      page_type: row.page_type,
      city_id: 0,
      version: row.version,
      reward_points: 3,
      daily_limit: 4,
      reward_budget: 500,
    }),
  ],
  [
    'share_card',
    share.restoreDefault,
    sql`select * from share_card where city_id is null and image <> '' order by id desc limit 1`,
    row => ({ page_type: row.page_type, city_id: 0, version: row.version }),
  ],
  [
    'page_link',
    hlink.edit,
    sql`select * from page_link where status = 'on' limit 1`,
    row => ({ ...row, name: `${row.name}新` }),
  ],
  [
    'h5_link',
    h5link.edit,
    sql`select * from h5_link limit 1`,
    row => ({ id: row.id, version: row.version, name: `${row.name}新`, channel: 'another_one' }),
  ],
  [
    'city_settings',
    citySettings.edit,
    sql`select * from city where settings is not null limit 1`,
    row => ({
      city_id: row.id,
      version: row.settings_version,
      settings: { ...row.settings, home_title: '新标题' },
    }),
  ],
  [
    'city_setting',
    citySettings.editActArea,
    sql`select * from city_setting where type = 'act_area' limit 1`,
    row => ({ ...row, title: '新专区' }),
  ],
  [
    'warning_rule',
    warning.edit,
    sql`select * from warning_rule where not gone limit 1`,
    row => ({ ...row, ...row.scope, threshold: row.threshold + 7 }),
  ],
  [
    'notify_group',
    group.edit,
    sql`select * from notify_group limit 1`,
    row => ({ id: row.id, version: row.version, name: `${row.name}新`, members: [] }),
  ],
  [
    'notify_group',
    group.setRoster,
    sql`select * from notify_group limit 1`,
    row => ({ id: row.id, version: row.version, roster: [], accept_gaps: true }),
  ],
  [
    'notify_group',
    group.setQuiet,
    sql`select * from notify_group limit 1`,
    row => ({ id: row.id, version: row.version, quiet: { from: '01:00', to: '02:00' } }),
  ],
  [
    'verifier',
    verify.edit,
    sql`select * from verifier where status = 'active' limit 1`,
    row => ({ id: row.id, version: row.version, name: '新名字', kinds: ['card'] }),
  ],
  [
    'verifier',
    verify.setLimit,
    sql`select * from verifier where status = 'active' limit 1`,
    row => ({ id: row.id, version: row.version, count: 7, amount_cents: 77_00 }),
  ],
  [
    'department',
    department.edit,
    sql`select * from department where parent_id is not null limit 1`,
    row => ({ id: row.id, version: row.version, name: `${row.name}新`, phone: '021-51234567' }),
  ],
  [
    'department',
    department.setLeader,
    sql`select * from department where leader_id is not null limit 1`,
    row => ({ id: row.id, version: row.version }),
  ],
  [
    'role',
    role.edit,
    sql`select * from role where code = 'revert_one'`,
    row => ({ id: row.id, version: row.version, name: '改过的角色', remark: '新备注' }),
  ],
  [
    'role',
    role.setPerms,
    sql`select * from role where code = 'revert_one'`,
    row => ({
      id: row.id,
      version: row.version,
      perms: ['audit.card.approve', 'audit.card.view'],
    }),
  ],
  [
    'role',
    role.setScope,
    sql`select * from role where code = 'revert_one'`,
    row => ({ id: row.id, version: row.version, scope: 'city', ids: [1] }),
  ],
  [
    'role',
    role.setRefundLimit,
    sql`select * from role where code = 'revert_one'`,
    row => ({ id: row.id, version: row.version, cents: 5_00 }),
  ],
  [
    'menu',
    menu.edit,
    sql`select * from menu where side = 'ops' and type = 'page' limit 1`,
    row => ({
      id: row.id,
      version: row.version,
      title: `${row.title}新`,
      en: row.en,
      icon: row.icon,
    }),
  ],
  [
    'menu',
    menu.toggleVisible,
    sql`select * from menu where redirect = '/manage/system/city'`,
    row => ({ id: row.id, version: row.version }),
  ],
  [
    'menu',
    menu.toggleKeepAlive,
    sql`select * from menu where redirect = '/manage/system/city'`,
    row => ({ id: row.id, version: row.version }),
  ],
  [
    'menu',
    menu.move,
    sql`select * from menu where redirect = '/manage/system/city'`,
    row => ({ id: row.id, version: row.version, parent_id: row.parent_id, sort: 0 }),
  ],
  [
    'department',
    department.move,
    sql`select d.* from department d where d.parent_id is not null and not exists (select 1 from department e where e.parent_id = d.id) order by d.id desc limit 1`,
    row => ({ id: row.id, version: row.version, parent_id: 1, sort: 0 }),
  ],
  [
    'merchant_menu',
    bulksMenu.edit,
    sql`select * from menu where side = 'merchant' and redirect = '/verify/scan'`,
    row => ({ id: row.id, version: row.version, title: '扫一扫', min_app_version: '3.0.0' }),
  ],
  [
    'merchant_menu',
    bulksMenu.move,
    sql`select * from menu where side = 'merchant' and redirect = '/live/room'`,
    row => ({ id: row.id, version: row.version, parent_id: row.parent_id, sort: 0 }),
  ],
  [
    'merchant_menu',
    bulksMenu.setPackages,
    sql`select * from menu where side = 'merchant' and redirect = '/live/room'`,
    row => ({ id: row.id, version: row.version, roles: ['cashier'] }),
  ],
  [
    'admin',
    staff.edit,
    sql`select * from admin where account = 'revert_me'`,
    row => ({
      id: row.id,
      version: row.version,
      name: '改了名',
      phone: '13900007777',
      department_id: 7,
    }),
  ],
  [
    'admin',
    staff.setRoles,
    sql`select * from admin where account = 'revert_me'`,
    row => ({ id: row.id, version: row.version, role_ids: [3, 4] }),
  ],
  [
    'admin',
    staff.setScope,
    sql`select * from admin where account = 'revert_me'`,
    row => ({ id: row.id, version: row.version, scope: 'city', cities: [1] }),
  ],
  [
    'admin',
    role.addMembers,
    sql`select * from admin where account = 'revert_me'`,
    row => ({ id: 5, admin_ids: [row.id] }),
  ],
  [
    'report_sub',
    report.edit,
    sql`select * from report_sub where owner_id = 1 limit 1`,
    row => ({ ...row, name: '新报表', schedule: 'weekly 2 10:00' }),
  ],
  [
    'freight_template',
    settings.editTemplate,
    sql`select * from freight_template where merchant_id is null and status = 'on' limit 1`,
    row => ({ ...row, name: '新模板' }),
  ],
  [
    'city_hot_mall',
    citySettings.setHotMallSettings,
    sql`select * from city where status = 'open' and id = 1`,
    row => ({
      city_id: row.id,
      version: row.hot_mall_version,
      title: '热门',
      show: false,
      mode: 'gmv',
      limit_count: 3,
      style: row.hot_mall?.style ?? 'card',
      mids: [],
    }),
  ],
  [
    'field_key',
    menuKey.edit,
    sql`select * from field_key limit 1`,
    row => ({
      id: row.id,
      version: row.version,
      title: '新名称',
      mask_rule: row.mask_rule,
      reveals_a_day: row.reveals_a_day + 5,
    }),
  ],
  [
    'field_key',
    menuKey.setDefault,
    sql`select * from field_key where default_mode = 'mask' limit 1`,
    row => ({ id: row.id, version: row.version, mode: 'hide' }),
  ],
  [
    'mall',
    mall.edit,
    sql`select * from mall where status = 'online' limit 1`,
    row => ({ mid: row.id, version: row.version, short_name: '新简称', phone: '021-51234567' }),
  ],
  [
    'mall',
    mall.setSort,
    sql`select * from mall where status = 'online' limit 1`,
    row => ({ mid: row.id, version: row.version, sort: row.sort + 5 }),
  ],
  [
    'mall_category',
    category.edit,
    sql`select * from mall_category where jump_kind <> 'link' limit 1`,
    row => ({ id: row.id, version: row.version, name: '新分类' }),
  ],
  [
    'mall_floor',
    floor.edit,
    sql`select * from mall_floor limit 1`,
    row => ({ id: row.id, version: row.version, alias: '新别名' }),
  ],
  [
    'hot_item',
    hots.edit,
    sql`select * from hot_item where status = 'on' and end_at > ${unixNow()} limit 1`,
    row => ({ id: row.id, version: row.version, title: '新热门' }),
  ],
]
const change = async ([type, call, pick, input]: (typeof changes)[number]) => {
  const row = (await database.db.execute<Row>(pick)).rows[0]!
  // A row as the database has it: what the call does not know is left out.
  const { shape } = call.input as unknown as { shape: object }
  const said = await send(
    app,
    call,
    Object.fromEntries(
      Object.entries(input(row))
        .filter(([key]) => key in shape)
        .map(([key, value]) => [
          key,
          key.endsWith('_at') && value !== null ? Number(value) : value,
        ]),
    ),
    { token: root },
  )
  expect([type, call.path, said.status, said.status === 200 ? '' : JSON.stringify(said)]).toEqual([
    type,
    call.path,
    200,
    '',
  ])
  const done = await lastRow()
  expect([done.object_type, done.result, done.fields.length > 0]).toEqual([type, 'ok', true])
  return { input, row, done }
}

describe('what a page’s own call changed is taken back by that call', () => {
  it.each(changes.map(one => [`${one[0]} ${one[1].path.split('/').at(-1)}`, one] as const))(
    '%s',
    async (_, one) => {
      const { done } = await change(one)
      expect(
        (
          await send(
            app,
            logs.objectHistory,
            { object_type: done.object_type, object_id: done.object_id! },
            { token: root },
          )
        ).data.list[0],
      ).toMatchObject({ id: done.id, not_revertible: null })
      const said = await takeBack(done.id)
      expect([said.status, said.status === 200 ? '' : said.message]).toEqual([200, ''])
      const back = await lastRow()
      expect(back).toMatchObject({
        reverts_id: done.id,
        reason: '改错了',
        object_id: done.object_id,
      })
      for (const field of done.fields)
        expect([field, (back.after as Row)[field] ?? null]).toEqual([
          field,
          (done.before as Row)[field] ?? null,
        ])
    },
  )
  it('changed again since: says by whom and when, and leaves it', async () => {
    const first = changes.find(([type]) => type === 'mall_floor')!
    const { done } = await change(first)
    const other = await addStaff(database, { perms: ['mall.floor.*'] })
    const now = (
      await database.db.execute<Row>(sql`select * from mall_floor where id = ${done.object_id}`)
    ).rows[0]!
    await send(
      app,
      floor.edit,
      { id: now['id'], version: now['version'], alias: '又改了' },
      { token: other.token },
    )
    const said = await takeBack(done.id)
    expect([said.status, said.data.current.admin_name, said.data.current.fields]).toEqual([
      409,
      other.account,
      ['alias'],
    ])
    expect(
      (
        await database.db.execute<Row>(
          sql`select alias from mall_floor where id = ${done.object_id}`,
        )
      ).rows[0]!['alias'],
    ).toBe('又改了')
  })
  it('tells whoever made the change, and why', async () => {
    const { done } = await change(changes[0]!)
    const other = await addStaff(database, { perms: ['*'] })
    expect((await takeBack(done.id, other.token)).status).toBe(200)
    expect((await toldTo(database, done.admin_id!)).at(-1)).toEqual([
      `${other.account}撤回了你对“${done.object_label}”的修改：改错了`,
      `/manage/system/logs?object_type=city&object_id=${done.object_id}`,
    ])
  })
  it('needs the right of that call', async () => {
    const { done } = await change(changes.find(([, call]) => call === verify.setLimit)!)
    const half = await addStaff(database, { perms: ['system.logs.*', 'system.verify.edit'] })
    expect((await takeBack(done.id, half.token)).status).toBe(403)
  })
  it('gives nobody more than they hold themselves', async () => {
    const { done } = await change(changes.find(([, call]) => call === role.setRefundLimit)!)
    const poor = await addStaff(database, {
      perms: ['system.logs.*', 'system.role.*'],
      role: { scope_type: 'all', refund_limit_cents: 0 },
    })
    const said = await takeBack(done.id, poor.token)
    expect(said.status).toBe(422)
    const [now] = await database.db.select().from(roles).where(eq(roles.code, 'revert_one'))
    expect(now!.refund_limit_cents).toBe((done.after as Row)['refund_limit_cents'])
  })
  it('a value that the call can’t put back is refused, and nothing is half taken back', async () => {
    const row = (
      await database.db.execute<Row>(
        sql`select * from hot_item where status = 'on' and image is null and kind <> 'link' and end_at > ${unixNow()} limit 1`,
      )
    ).rows[0]!
    const image =
      (await database.db.execute<Row>(sql`select file_key from upload limit 1`)).rows[0]?.[
        'file_key'
      ] ?? 'https://img.example.com/a.png'
    const said = await send(
      app,
      hots.edit,
      { id: row['id'], version: row['version'], title: '有图了', image },
      { token: root },
    )
    expect(said.status).toBe(200)
    const done = await lastRow()
    expect((await takeBack(done.id)).data).toMatchObject({ rule: 'not_revertible' })
    expect(
      (
        await database.db.execute<Row>(
          sql`select title, image from hot_item where id = ${row['id']}`,
        )
      ).rows[0],
    ).toEqual({ title: '有图了', image })
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))

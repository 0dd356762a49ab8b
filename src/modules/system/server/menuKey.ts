import { and, asc, count, desc, eq, ilike, or, sql, type SQL } from 'drizzle-orm'
import { op_log } from '#src/areas/log/log.table.ts'
import { stale, tooWide, updating } from '#src/areas/people/people.server.ts'
import { field_key, role } from '#src/areas/people/people.table.ts'
import { switches } from '#src/areas/people/people.ts'
import { fieldModes, modeFits, type FieldMode } from '#src/areas/people/rights.ts'
import { masked, maskRules, type MaskRule } from '#src/domain/mask.ts'
import { clause, colon, say, semicolon, type Lang } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { isGuarded } from '#src/server/call/fields.ts'
import { implement, type Db, type Staff } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { menuKey as contract, type FieldKeyRow } from '../contract/menuKey.ts'

type Row = typeof field_key.$inferSelect
const object_type = 'field_key'
const ofRow = (row: Pick<Row, 'id' | 'key'>) => ({
  object_type,
  object_id: row.id,
  object_label: row.key,
})
const shown = ({
  id,
  key,
  title,
  mask_rule,
  default_mode,
  status,
  reveals_a_day,
  version,
}: Row) => ({ id, key, title, mask_rule, default_mode, status, reveals_a_day, version })
const update = updating(field_key, object_type, shown)
/** A value such as each rule is for. */
const samples: Record<MaskRule, string> = {
  phone: '13812345678',
  id_no: '310101199003078515',
  name: '欧阳若溪',
  bank: '6222021001112223334',
  address: '上海市静安区南京西路 1266 号',
  code: '8812340056',
  amount: '1280.00',
  all: '任意内容',
}
const DAYS_30 = 30 * DAY

const find = async (db: Db, one: { id: number; version: number }): Promise<Row> => {
  const [row] = await db.select().from(field_key).where(eq(field_key.id, one.id))
  if (!row) throw missing()
  if (row.version !== one.version) throw await stale(db, object_type, shown(row), one.id)
  return row
}
/** Refuses a change of what others see of a field by who does not see so much of it. */
const heldField = (staff: Staff, { key, title }: Row, mode: FieldMode): void => {
  if (!staff.can('*') && !modeFits(staff.field(key), mode))
    throw tooWide([
      `${title}（你只能看到：${fieldModes[staff.field(key)][0]}）`,
      `${title}, of which you see: ${fieldModes[staff.field(key)][1]}`,
    ])
}
type Filters = {
  keyword?: string | undefined
  entity?: string | undefined
  mode?: Row['default_mode'] | undefined
  status?: Row['status'] | undefined
}
const matching = ({ keyword, entity, mode, status, ids }: Filters & Chosen): SQL | undefined => {
  const wanted = keyword && like(keyword)
  return and(
    chosenRows(field_key.id, { ids }),
    wanted ? or(ilike(field_key.key, wanted), ilike(field_key.title, wanted)) : undefined,
    entity ? eq(field_key.entity, entity) : undefined,
    mode && eq(field_key.default_mode, mode),
    status && eq(field_key.status, status),
  )
}
/** True of reveals of the last 30 days, which are counted; older ones stand in the operation log. */
const revealed = (now: number) =>
  sql`${op_log.action} = 'reveal' and ${op_log.result} = 'ok' and ${op_log.created_at} >= ${now - DAYS_30}`
const rowsOf = async (db: Db, rows: readonly Row[], now: number): Promise<FieldKeyRow[]> => {
  const roles = await db
    .select({ id: role.id, name: role.name, field_rules: role.field_rules })
    .from(role)
    .orderBy(role.id)
  const counted = await db.execute<{ field: string; n: number }>(
    sql`select ${op_log.after} ->> 'field' field, count(*)::int n from ${op_log} where ${revealed(now)} group by 1`,
  )
  const reveals = new Map(counted.rows.map(one => [one.field, one.n]))
  return rows.map(row => ({
    ...shown(row),
    entity: row.entity,
    sample: masked(row.mask_rule, samples[row.mask_rule]),
    reveals_30d: reveals.get(row.key) ?? 0,
    guarded: isGuarded(row.key),
    overrides: roles.flatMap(one => {
      const mode = one.field_rules[row.key]
      return mode ? [{ role_id: one.id, role: one.name, mode }] : []
    }),
  }))
}
const words = (of: Filters, lang: Lang): string =>
  [
    of.keyword,
    of.entity,
    of.mode && say(fieldModes[of.mode], lang),
    of.status && say(switches[of.status], lang),
  ]
    .filter(Boolean)
    .join(say(clause, lang)) || say(['全部字段', 'All fields'], lang)

defineExport('system.menuKey', {
  title: ['系统字段', 'System fields'],
  permit: 'system.menuKey.export',
  columns: [
    { key: 'key', title: ['字段', 'Key'] },
    { key: 'title', title: ['名称', 'Title'] },
    { key: 'entity', title: ['对象', 'Entity'] },
    { key: 'rule', title: ['脱敏规则', 'Mask'] },
    { key: 'sample', title: ['示例', 'Sample'] },
    { key: 'mode', title: ['默认', 'Default'] },
    { key: 'roles', title: ['角色设置', 'Overrides'] },
    { key: 'reveals_30d', title: ['30 天查看', 'Reveals in 30 days'], kind: 'number' },
    { key: 'state', title: ['状态', 'State'] },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select()
      .from(field_key)
      .where(
        and(
          matching(filters as Filters),
          after === undefined ? undefined : sql`${field_key.id} > ${after}`,
        ),
      )
      .orderBy(asc(field_key.id))
      .limit(limit)
    const lang = staff.lang
    const list = (await rowsOf(db, rows, now)).map(row => ({
      ...row,
      rule: say(maskRules[row.mask_rule], lang),
      mode: say(fieldModes[row.default_mode], lang),
      state: say(switches[row.status], lang),
      roles: row.overrides
        .map(one => `${one.role}${say(colon, lang)}${say(fieldModes[one.mode], lang)}`)
        .join(say(semicolon, lang)),
    }))
    return { rows: list, next: rows.length < limit ? undefined : rows.at(-1)?.id }
  },
})

const server = implement(contract, {
  lst: async ({ page, pageSize, ...filters }, { db, now }) => {
    const where = matching(filters)
    const [total] = await db.select({ n: count() }).from(field_key).where(where)
    return {
      total: total!.n,
      list: await rowsOf(
        db,
        await db
          .select()
          .from(field_key)
          .where(where)
          .orderBy(asc(field_key.entity), asc(field_key.id))
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        now,
      ),
    }
  },
  create: async ({ key, title, entity, mask_rule, default_mode }, { tx, log }) => {
    const [same] = await tx
      .select({ id: field_key.id })
      .from(field_key)
      .where(eq(field_key.key, key))
    if (same)
      throw ruled('key_taken', ['字段 {key} 已登记', 'The field {key} is registered already'], {
        key,
      })
    const [table, column] = key.split('.') as [string, string]
    if (table !== entity)
      throw ruled(
        'wrong_entity',
        ['字段须以对象名开头：{entity}.…', 'The key begins with its entity: {entity}.…'],
        { entity },
      )
    // The schema knows it: a column of the table, or a field that some answer of the server guards.
    const found = await tx.execute(
      sql`select 1 from information_schema.columns where table_schema = 'public' and table_name = ${table} and column_name = ${column} limit 1`,
    )
    if (found.rows.length === 0 && !isGuarded(key))
      throw ruled('unknown_field', ['系统中没有字段 {key}', 'The schema has no field {key}'], {
        key,
      })
    const [made] = await tx
      .insert(field_key)
      .values({ key, title, entity, mask_rule, default_mode })
      .returning()
    log({ ...ofRow(made!), after: { title, entity, mask_rule, default_mode } })
    return { id: made!.id, version: made!.version }
  },
  edit: async ({ title, mask_rule, reveals_a_day, ...one }, { tx, staff, log }) => {
    const row = await find(tx, one)
    const quota = reveals_a_day ?? row.reveals_a_day
    if (mask_rule !== row.mask_rule || quota !== row.reveals_a_day) heldField(staff, row, 'show')
    const after = await update(tx, one, { title, mask_rule, reveals_a_day: quota })
    log({
      ...ofRow(after),
      before: { title: row.title, mask_rule: row.mask_rule, reveals_a_day: row.reveals_a_day },
      after: { title, mask_rule, reveals_a_day: after.reveals_a_day },
    })
    return { id: after.id, version: after.version }
  },
  setDefault: async ({ mode, ...one }, { tx, staff, log }) => {
    const row = await find(tx, one)
    if (!modeFits(row.default_mode, mode) && !staff.can('*'))
      throw ruled('only_super', [
        '只有超级管理员可以放宽默认展示方式',
        'Only a super administrator may loosen a default',
      ])
    if (mode !== row.default_mode) heldField(staff, row, row.default_mode)
    const after = await update(tx, one, { default_mode: mode })
    log({
      ...ofRow(after),
      before: { default_mode: row.default_mode },
      after: { default_mode: mode },
    })
    return { id: after.id, version: after.version }
  },
  testMask: async ({ mask_rule, sample }) => ({ masked: masked(mask_rule, sample) }),
  viewReveals: async ({ key, page, pageSize }, { db, staff, now }) => {
    const where = and(
      sql`${revealed(now)} and ${op_log.after} ->> 'field' = ${key}`,
      within(staff.scope, { owner: op_log.admin_id }),
    )
    const [total] = await db.select({ n: count() }).from(op_log).where(where)
    const list = await db
      .select({
        id: op_log.id,
        admin_name: op_log.admin_name,
        object_type: op_log.object_type,
        object_id: op_log.object_id,
        object_label: op_log.object_label,
        reason: op_log.reason,
        ip: op_log.ip,
        created_at: op_log.created_at,
      })
      .from(op_log)
      .where(where)
      .orderBy(desc(op_log.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { total: total!.n, list }
  },
  disable: async ({ reason, ...one }, { tx, staff, log }) => {
    const row = await find(tx, one)
    if (row.status === 'off') throw ruled('wrong_state', ['字段已停用', 'It is disabled already'])
    // Without its rule a field is shown: that is loosening it.
    if (!staff.can('*'))
      throw ruled('only_super', [
        '停用后字段将按明文展示，只有超级管理员可以停用',
        'Disabled, it is shown to everybody: only a super administrator may do that',
      ])
    const after = await update(tx, one, { status: 'off' })
    log({ ...ofRow(after), before: { status: 'on' }, after: { status: 'off' }, reason })
    return { id: after.id, version: after.version }
  },
  enable: async (one, { tx, staff, log }) => {
    const row = await find(tx, one)
    if (row.status === 'on') throw ruled('wrong_state', ['字段已启用', 'It is enabled already'])
    heldField(staff, row, 'show')
    const after = await update(tx, one, { status: 'on' })
    log({ ...ofRow(after), before: { status: 'off' }, after: { status: 'on' } })
    return { id: after.id, version: after.version }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const [rows] = await context.tx.select({ n: count() }).from(field_key).where(matching(filters))
    return startExport(context, {
      page: 'system.menuKey',
      filters,
      filters_text: words(filters, context.staff.lang),
      rows_expected: rows!.n,
      format,
      columns,
    })
  },
})

defineRevertBy(
  object_type,
  async (db, _, id) => {
    const [row] = await db.select().from(field_key).where(eq(field_key.id, id))
    return row
  },
  [
    way(
      contract.edit,
      server.handlers.edit,
      ['title', 'mask_rule', 'reveals_a_day'],
      ({ id, version, title, mask_rule, reveals_a_day }) => ({
        id,
        version,
        title,
        mask_rule,
        reveals_a_day,
      }),
    ),
    way(
      contract.setDefault,
      server.handlers.setDefault,
      ['default_mode'],
      ({ id, version, default_mode }) => ({ id, version, mode: default_mode }),
    ),
  ],
)
export default server

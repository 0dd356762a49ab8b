import type pg from 'pg'

/** A field and an entry that only a few generated rows have. */
export const RARE = 'rare_field'
const STEP = 100_000

/**
 * Grows the operation log and the click log by `n` rows each, spread over 92 and 60 days,
 * deterministic; ends with VACUUM ANALYZE. Triggers sleep meanwhile: the names of the fields are
 * given.
 */
export const growLogs = async (
  pool: pg.Pool,
  n: number,
  say: (line: string) => void = () => {},
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(`set maintenance_work_mem = '512MB'`)
    const now = Math.floor(Date.now() / 1000)
    const spread = (by: number, to: number) => `((g::bigint * ${by}) % ${to})::int`
    await client.query('alter table op_log disable trigger user')
    for (const table of ['op_log', 'click_log']) {
      const { rows: indexes } = await client.query<{ name: string; made: string }>(
        `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = $1::regclass and not indisprimary`,
        [table],
      )
      for (const { name } of indexes) await client.query(`drop index ${name}`)
      for (let from = 1; from <= n; from += STEP) {
        const to = Math.min(n, from + STEP - 1)
        await client.query(
          table === 'op_log'
            ? `
          insert into op_log (admin_id, admin_name, module, action, object_type, object_id, object_label, before, after, result, ip, trace_id, fields, touched, created_at, updated_at)
          select admin_id, admin_name, module, action, object_type, object_id, object_label, before, after, result, ip, trace_id, fields, array(select object_type || '.' || f from unnest(fields) f), moment, moment from (
          select 1 + ${spread(7919, 60)} admin_id, '员工' || (1 + ${spread(7919, 60)}) admin_name, (array['audit','audit','audit','system','mall','session'])[1 + ${spread(31, 6)}] module, 'bench.action' || ${spread(104_729, 400)} action, (array['product','product','audit_task','mall','city','role'])[1 + ${spread(37, 6)}] object_type, 1 + ${spread(7877, 5000)} object_id, '第' || g || '个' object_label,
            '{"price_cents": 100}'::jsonb before, '{"price_cents": 200}'::jsonb after, case when g % 97 = 0 then 'refused' when g % 4999 = 0 then 'failed' else 'ok' end result, '10.2.0.1' ip, md5(g::text) trace_id,
            case when g % ${Math.ceil(n / 12)} = 0 then array['${RARE}'] when g % 3 = 0 then array['state'] when g % 50 = 0 then array['price_cents','title'] else array['state','decided_by'] end fields, s.moment
          from (select g, ${now} - (g::bigint * 104729) % ${92 * 86_400} as moment from generate_series(${from}, ${to}) g) s) r`
            : `
          insert into click_log (member_id, device_id, object_type, object_id, object_name, entry, city_id, mall_id, ua, at)
          select case when g % 7 = 0 then null else 1 + ${spread(7919, 20_000)} end, 'd' || ${spread(7919, 24_000)}, (array['page','product','product','store','banner','hot'])[1 + ${spread(31, 6)}], 1 + ${spread(7877, 3000)}, '对象' || g, case when g % ${Math.ceil(n / 12)} = 0 then '${RARE}' else (array['home','home','search','mall_home','qr'])[1 + ${spread(41, 5)}] end, 1 + ${spread(43, 6)}, ${spread(47, 33)}, 'MicroMessenger', ${now} - (g::bigint * 104729) % ${60 * 86_400}
          from generate_series(${from}, ${to}) g`,
        )
        say(`${table}: ${to.toLocaleString('en')} rows`)
      }
      for (const { made } of indexes) await client.query(made)
      await client.query(`vacuum analyze ${table}`)
    }
    await client.query('alter table op_log enable always trigger op_log_append_only')
    await client.query('alter table op_log enable always trigger op_log_fields')
  } finally {
    client.release(true)
  }
}

/**
 * Every filter that the calls on the logs take, one of each kind, the values of rows that exist: a
 * test compares them with the contracts.
 */
export const logFiltersOffered = (now: number) => {
  const day = 86_400
  return {
    logs: {
      none: {},
      person: { admin_id: 7 },
      module: { module: 'mall' },
      action: { action: 'bench.action7' },
      'object type': { object_type: 'mall' },
      object: { object_type: 'product', object_id: 42 },
      'a frequent field': { object_type: 'product', field: 'state' },
      'a rare field': { object_type: 'mall', field: RARE },
      'a field of a type': { object_type: 'product', field: 'price_cents' },
      'a field of an object': { object_type: 'product', object_id: 42, field: 'price_cents' },
      done: { result: 'ok' },
      refused: { result: 'refused' },
      failed: { result: 'failed' },
      trace: { trace_id: 'c4ca4238a0b923820dcc509a6f75849b' },
      batch: { batch_id: 3 },
      'a day': { from: now - day, to: now },
      'an old week': { from: now - 90 * day, to: now - 83 * day },
      'person and action': { admin_id: 7, action: 'bench.action7' },
      'person, refused': { admin_id: 7, result: 'refused' },
      'module of a week': { module: 'mall', from: now - 7 * day },
      'none there': { action: 'no.such' },
    },
    clicks: {
      none: {},
      type: { object_type: 'banner' },
      object: { object_type: 'product', object_id: 42 },
      city: { city_id: 2 },
      mall: { mid: 3 },
      member: { member_id: 77 },
      device: { device_id: 'd77' },
      'a frequent entry': { entry: 'home' },
      'a rare entry': { entry: RARE },
      'of a day': { start_at: now - day, end_at: now },
      'an old month': { start_at: now - 58 * day, end_at: now - 28 * day },
      'a month, type': { object_type: 'store', start_at: now - 31 * day, end_at: now },
      'a quarter of a member': { member_id: 77, start_at: now - 92 * day, end_at: now },
      'mall and entry': { mid: 3, entry: 'qr' },
      'a nickname': { keyword: '王' },
      'a phone of none': { keyword: '19900000000' },
      'none there': { entry: 'no such' },
    },
    banners: {
      none: {},
      'a quarter': { start_at: now - 92 * day, end_at: now },
      banner: { banner_id: 42 },
      'a banner of a quarter': { banner_id: 42, start_at: now - 92 * day, end_at: now },
      position: { position: 'category' },
      'a position of a quarter': { position: 'category', start_at: now - 92 * day },
      city: { city_id: 2 },
      'a city of a quarter': { city_id: 2, start_at: now - 92 * day },
      mall: { mid: 3 },
      'a mall of a quarter': { mid: 3, start_at: now - 92 * day },
      member: { member_id: 77 },
      'a quarter of a member': { member_id: 77, start_at: now - 92 * day },
      'a nickname': { keyword: '王' },
      'a nickname in a quarter': { keyword: '王', start_at: now - 92 * day },
      'none there': { banner_id: 999_999 },
    },
    clickers: { hot: { id: 42 }, 'a day of one': { id: 42, start_at: now - day, end_at: now } },
    history: {
      object: { object_type: 'product', object_id: 42 },
      'a field of an object': { object_type: 'product', object_id: 42, field: 'price_cents' },
      'a rare field of an object': { object_type: 'mall', object_id: 42, field: RARE },
      'none there': { object_type: 'product', object_id: 999_999 },
    },
  } as const
}

import { eq } from 'drizzle-orm'
import { configScopes } from '#src/areas/order/configScope.ts'
import { provinceNames } from '#src/areas/place/divisions.ts'
import {
  couriersFor,
  hotlineFault,
  isTracking,
  patternFault,
  readTracking,
  sampleFault,
  trackingOf,
} from '#src/areas/shipping/courier.ts'
import {
  couriersInOrder,
  hasParcels,
  lockCouriers,
  parcelsLately,
  sendersNaming,
} from '#src/areas/shipping/couriers.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import type { Courier } from '#src/areas/shipping/shipping.server.ts'
import { standardCouriers } from '#src/areas/shipping/standardCouriers.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, joinedNames, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { logCall } from '#src/server/call/oplog.ts'
import {
  arrange,
  faultless,
  record,
  reverting,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { courierCompany as contract } from '../contract/courierCompany.ts'

const edited = ['name', 'pattern', 'sample', 'phone', 'areas'] as const
type Fields = Pick<Courier, (typeof edited)[number]>
const couriers = record(courier, {
  object: 'courier',
  label: row => row.name,
  keys: ['code', ...edited, 'account_no', 'account_secret', 'is_default', 'status'],
  places: 'all',
  // The log shows that there is a secret, and never the secret.
  told: row => ({ ...row, account_secret: row.account_secret && '••••••' }),
})
const shown = async (db: Db, rows: readonly Courier[], now: number) => {
  const lately = await parcelsLately(
    db,
    rows.map(row => row.code),
    now,
  )
  return rows.map(row => ({
    ...row,
    has_secret: row.account_secret !== '',
    used_30d: lately.get(row.code)?.used ?? 0,
    failed_30d: lately.get(row.code)?.failed ?? 0,
  }))
}
/** Couriers by their name or code, or those in use that a tracking number may be of. */
const called = (keyword: string, all: readonly Courier[]): Courier[] => {
  const typed = keyword.trim().toLowerCase()
  const named = all.filter(
    one => one.name.toLowerCase().includes(typed) || one.code.includes(typed),
  )
  return named.length === 0 && isTracking(trackingOf(keyword)) ? couriersFor(keyword, all) : named
}

/** Whatever a courier must be by itself and beside the others; the caller holds the lock of them. */
const sound = async ({ tx, staff }: WriteContext, of: Fields, id?: number): Promise<void> => {
  const same = (await couriersInOrder(tx)).some(one => one.name === of.name && one.id !== id)
  const strange = of.areas.find(code => !Object.hasOwn(provinceNames, code))
  faultless(staff, {
    name: same ? ['已有同名的快递公司', 'There is a courier of that name'] : undefined,
    pattern: patternFault(of.pattern),
    sample: sampleFault(of.pattern, of.sample),
    phone: hotlineFault(of.phone),
    areas: strange
      ? [`没有编码为 ${strange} 的省份`, `No province has the code ${strange}`]
      : undefined,
  })
}
/** Waybills find the sender that a courier bills by its name: it stays while one names it. */
const nameStays = async ({ tx }: WriteContext, was: Courier): Promise<void> => {
  const kinds = await sendersNaming(tx, was.name)
  if (kinds.length > 0)
    throw ruled(
      'name_in_use',
      [
        '{kinds}的寄件人使用“{name}”的面单账号，请先在订单设置中修改',
        'Senders of {kinds} use the account of “{name}”: change them in the order settings first',
      ],
      { kinds: joinedNames(kinds.map(kind => joined(configScopes[kind]))), name: was.name },
    )
}
/** Whether the standard name is free for a courier, and its own is one that nothing finds it by. */
const mayBeCalled = async (
  { tx }: WriteContext,
  was: Courier,
  name: string,
  names: ReadonlySet<string>,
): Promise<boolean> =>
  was.name === name || (!names.has(name) && (await sendersNaming(tx, was.name)).length === 0)

const handlers = {
  lst: async ({ page, pageSize, keyword, status }, { db, now }) => {
    const all = await couriersInOrder(db)
    const found = (keyword ? called(keyword, all) : all).filter(
      one => status === undefined || one.status === status,
    )
    return {
      list: await shown(db, found.slice((page - 1) * pageSize, page * pageSize), now),
      total: found.length,
      arranged: all.map(({ id, name }) => ({ id, name })),
      list_version: sequenceVersion(all.map(one => one.id)),
    }
  },
  create: async (fields, context) => {
    await lockCouriers(context.tx)
    await sound(context, fields)
    const last = (await couriersInOrder(context.tx)).at(-1)
    return unlessTaken(couriers.add(context, { ...fields, sort: (last?.sort ?? -1) + 1 }), () =>
      ruled(
        'code_exists',
        ['编码已存在', 'There is a courier of that code'],
        {},
        {
          fields: {
            code: say(['已存在：{code}', 'Taken: {code}'], context.staff.lang, {
              code: fields.code,
            }),
          },
        },
      ),
    )
  },
  edit: async ({ id, version, ...fields }, context) => {
    await lockCouriers(context.tx)
    const was = await couriers.held(context, { id, version })
    await sound(context, fields, id)
    if (fields.name !== was.name) await nameStays(context, was)
    return couriers.save(context, was, fields)
  },
  sort: async (asked, { tx, log }) => {
    await lockCouriers(tx)
    const before = (await couriersInOrder(tx)).map(one => one.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: courier.sort,
      by: courier.id,
    })
    log({
      object_type: 'courier',
      object_id: 0,
      object_label: joined(['快递公司顺序', 'Order of couriers']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  setDefault: async (one, context) => {
    await lockCouriers(context.tx)
    const was = await couriers.held(context, one)
    if (was.is_default) throw ruled('wrong_state', ['已是默认快递', 'It is the default'])
    if (was.status === 'off') throw ruled('disabled', ['请先启用，再设为默认', 'Enable it first'])
    const [before] = await context.tx.select().from(courier).where(eq(courier.is_default, true))
    if (before) await couriers.save(context, before, { is_default: false })
    return couriers.save(context, was, { is_default: true })
  },
  testTrack: async (
    { id, tracking_no: typed },
    { tx, install, staff, now, caller, request_id },
  ) => {
    const row = await couriers.read(tx, staff, id)
    const read = readTracking(typed)
    faultless(staff, { tracking_no: 'fault' in read ? read.fault : undefined })
    const { tracking_no } = read as { tracking_no: string }
    const answer = await install.track.query({ code: row.code, tracking_no, shipped_at: now, now })
    const told = answer.ok
      ? { state: answer.state, traces: answer.traces, answer: '' }
      : { state: null, traces: [], answer: say(answer.text, staff.lang) }
    const call = { call: contract.testTrack, staff, ip: caller.ip, request_id }
    await logCall(tx, call, { id }, [
      {
        object_type: 'courier',
        object_id: id,
        object_label: row.name,
        after: { ok: answer.ok, tracking_no },
      },
    ])
    return { id, tracking_no, ok: answer.ok, ...told }
  },
  bindAccount: async ({ id, version, account_no, account_secret }, context) => {
    const was = await couriers.held(context, { id, version })
    const secret = account_secret ?? was.account_secret
    return couriers.save(context, was, {
      account_no,
      account_secret: account_no === '' ? '' : secret,
    })
  },
  sync: async ({ correct }, context) => {
    await lockCouriers(context.tx)
    const all = await couriersInOrder(context.tx)
    const byCode = new Map(all.map(one => [one.code, one]))
    const names = new Set(all.map(one => one.name))
    const done = { added: 0, renamed: 0, kept: [] as string[] }
    for (const standard of standardCouriers) {
      const was = byCode.get(standard.code)
      if (was) {
        const differs = was.name !== standard.name || was.phone !== standard.phone
        if (!correct || !differs) continue
        if (await mayBeCalled(context, was, standard.name, names)) {
          await couriers.save(context, was, { name: standard.name, phone: standard.phone })
          done.renamed++
        } else done.kept.push(was.name)
      } else if (names.has(standard.name)) done.kept.push(standard.name)
      else {
        const sort = (all.at(-1)?.sort ?? -1) + done.added + 1
        await couriers.add(context, { ...standard, sort, status: 'off' })
        done.added++
      }
    }
    return done
  },
  enable: async (one, context) =>
    couriers.save(context, await turning(couriers.held(context, one), 'on'), { status: 'on' }),
  disable: async ({ reason, ...one }, context) => {
    await lockCouriers(context.tx)
    const was = await turning(couriers.held(context, one), 'off')
    if (was.is_default)
      throw ruled('is_default', [
        '默认快递不能停用，请先把另一家设为默认',
        'The default can’t be disabled: make another one the default first',
      ])
    return couriers.save(context, was, { status: 'off' }, reason)
  },
  del: async (one, context) => {
    await lockCouriers(context.tx)
    const was = await couriers.heldFast(context, one)
    if (was.is_default)
      throw ruled('is_default', ['默认快递不能删除', 'The default can’t be deleted'])
    if (await hasParcels(context.tx, was.code))
      throw ruled('in_use', [
        '已有包裹使用这家快递，不能删除；不再使用请停用',
        'Parcels went by it, so it can’t be deleted: disable it instead',
      ])
    await nameStays(context, was)
    return couriers.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(couriers, [way(contract.edit, handlers.edit, edited)])

export const courierCompanyServer = implement(contract, handlers)

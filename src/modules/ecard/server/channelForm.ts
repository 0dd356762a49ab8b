import { and, eq, inArray, ne } from 'drizzle-orm'
import {
  draftFaults,
  givenFaults,
  openFaults,
  overlapFault,
  periodFault,
  type CardLine,
  type ChannelTerms,
} from '#src/areas/ecard/channel.ts'
import { ecard_attr, ecard_channel, ecard_channel_card } from '#src/areas/ecard/ecard.table.ts'
import { creditCodeFault, creditCodeOf } from '#src/areas/merchant/identity.ts'
import { placesFault, placesOf } from '#src/areas/partner/places.ts'
import { callableOf } from '#src/domain/phone.ts'
import { joined, say, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { channelAdd, channelEdit } from '../contract/channel.ts'
import { askSecond, cardsOf, channels, heldFor, type Channel } from './channelRecord.ts'

type One = { id: number; version: number }
/** The fields that a form sends, as they are kept. */
const plain = <T extends Partial<ChannelTerms>>(sent: T): T => ({
  ...sent,
  ...(sent.tax_no !== undefined && { tax_no: creditCodeOf(sent.tax_no) }),
  ...(sent.phone !== undefined && { phone: callableOf(sent.phone) ?? sent.phone }),
  ...(sent.ip_list !== undefined && { ip_list: placesOf(sent.ip_list) }),
})
/** The active channel that has a company's number, other than this one. */
const holderOf = async (db: Db, tax_no: string, id = 0) => {
  if (tax_no === '') return undefined
  const [other] = await db
    .select({ name: ecard_channel.name })
    .from(ecard_channel)
    .where(
      and(
        eq(ecard_channel.tax_no, tax_no),
        inArray(ecard_channel.status, ['on', 'off']),
        ne(ecard_channel.id, id),
      ),
    )
  return other?.name
}
const taken = (name: string): Text => [
  `该信用代码已由合作中的渠道「${name}」使用`,
  `The open channel ${name} has the number`,
]
const untaken = async ({ tx, staff }: WriteContext, of: { tax_no: string; id?: number }) => {
  const other = await holderOf(tx, of.tax_no, of.id)
  faultless(staff, { tax_no: other === undefined ? undefined : taken(other) })
}
const once = <T>(run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'channel_taken',
      ['渠道名称或信用代码已被使用，请更换', 'The name or the credit code is taken'],
      {},
      { fields: { name: ['名称已被使用', 'It is taken'] } },
    ),
  )
/** Faces that are there; 400 names the lines. */
const faced = async ({ tx, staff }: WriteContext, cards: readonly CardLine[]): Promise<void> => {
  const ids = cards.map(one => one.attr_id)
  if (ids.length === 0) return
  const found = await tx.$count(ecard_attr, inArray(ecard_attr.id, ids))
  faultless(staff, {
    cards: found < ids.length ? ['有面值已不存在，请移除后再添加', 'A face is gone'] : undefined,
  })
}
const putLines = async (tx: Db, channel_id: number, cards: readonly CardLine[]) => {
  await tx.delete(ecard_channel_card).where(eq(ecard_channel_card.channel_id, channel_id))
  if (cards.length > 0)
    await tx.insert(ecard_channel_card).values(cards.map(one => ({ channel_id, ...one })))
}
const judged = async (context: WriteContext, of: ChannelTerms, isOpened: boolean, id?: number) => {
  faultless(context.staff, isOpened ? openFaults(of, context.now) : draftFaults(of))
  await faced(context, of.cards)
  if (isOpened) await untaken(context, { tax_no: of.tax_no, ...(id !== undefined && { id }) })
}
/** The credit of a channel that is opened: none, until a second person has agreed to it. */
const opened = { status: 'on', credit_cents: 0 } as const
const firstCredit = joined(['开通授信', 'Credit at the opening'])
const askCredit = async (context: WriteContext, channel_id: number, amount_cents: number) => {
  if (amount_cents > 0)
    await askSecond(context, { channel_id, kind: 'credit', amount_cents, reason: firstCredit })
}
type Sent = Omit<ChannelTerms, 'ip_list' | 'receivers' | 'cards'> & {
  ip_list: string[]
  receivers: string[]
  cards: CardLine[]
}
const make = async (context: WriteContext, given: Sent, isOpened: boolean) => {
  const { cards, ...of } = plain(given)
  await judged(context, { ...of, cards }, isOpened)
  const row = await once(channels.add(context, { ...of, ...(isOpened && opened) }))
  await putLines(context.tx, row.id, cards)
  if (isOpened) await askCredit(context, row.id, of.credit_cents)
  return row
}
const draftOf = async (context: WriteContext, one: One): Promise<Channel> => {
  const was = await channels.heldFast(context, one)
  if (was.status !== 'draft')
    throw ruled('wrong_state', [
      '渠道已开通，请用“保存修改”',
      'It is open already: save the changes',
    ])
  return was
}
const redraft = async (
  context: WriteContext,
  { id, version, ...given }: Sent & One,
  isOpened: boolean,
) => {
  const was = await draftOf(context, { id, version })
  const { cards, ...of } = plain(given)
  await judged(context, { ...of, cards }, isOpened, id)
  const row = await once(channels.save(context, was, { ...of, ...(isOpened && opened) }))
  await putLines(context.tx, id, cards)
  if (isOpened) await askCredit(context, id, of.credit_cents)
  return row
}

export const channelAddServer = implement(channelAdd, {
  save: (sent, context) => make(context, sent, false),
  submit: (sent, context) => make(context, sent, true),
  verifyCompany: async ({ tax_no, channel_id }, { db, staff }) => {
    const code = creditCodeOf(tax_no)
    const fault = creditCodeFault(code)
    return {
      fault: fault ? say(fault, staff.lang) : '',
      taken_by: (await holderOf(db, code, channel_id)) ?? '',
    }
  },
} satisfies { [K in keyof typeof channelAdd]: Handler<(typeof channelAdd)[K]> })

/** Lines of an open channel whose share or quota differs; refuses a set of other faces. */
const changedLines = (
  { staff }: WriteContext,
  now: readonly CardLine[],
  sent: readonly CardLine[],
): CardLine[] => {
  const by = new Map(now.map(one => [one.attr_id, one]))
  faultless(staff, {
    cards:
      sent.length !== now.length || sent.some(one => !by.has(one.attr_id))
        ? [
            '可售卡已变动：请用“添加可售卡”或“移除可售卡”，再保存',
            'The cards are others now: add or take out cards by their actions, then save',
          ]
        : undefined,
  })
  return sent.filter(one => {
    const was = by.get(one.attr_id)!
    return was.discount_bp !== one.discount_bp || was.quota_n !== one.quota_n
  })
}
const lineOf = (channel_id: number, attr_id: number) =>
  and(eq(ecard_channel_card.channel_id, channel_id), eq(ecard_channel_card.attr_id, attr_id))
const termsOf = (row: Channel): Omit<ChannelTerms, 'cards'> => row
/** Refers credit that grows to a second person; credit that shrinks holds at once. */
const creditOf = async (context: WriteContext, was: Channel, next: number, reason: string) => {
  if (next <= was.credit_cents) return next
  await askSecond(context, { channel_id: was.id, kind: 'credit', amount_cents: next, reason })
  return was.credit_cents
}
const periodOf = ({ start_at, end_at, contract }: Channel) =>
  start_at === null || end_at === null ? [] : [{ start_at, end_at, contract }]
const told = (line: CardLine) => `#${line.attr_id} ${line.discount_bp / 100}% × ${line.quota_n}`

export const channelEditServer = implement(channelEdit, {
  saveDraft: (sent, context) => redraft(context, sent, false),
  submit: (sent, context) => redraft(context, sent, true),
  save: async ({ id, version, reason, ...given }, context) => {
    const was = await heldFor(context, 'edit', { id, version })
    if (was.status === 'draft')
      throw ruled('wrong_state', ['它还是草稿，请保存草稿', 'It is a draft: save it as one'])
    const { cards, ...of } = plain(given)
    const now = (await cardsOf(context.tx, [id])).get(id)!
    const { end_at: _, ...faults } = openFaults({ ...termsOf(was), ...of, cards }, context.now)
    faultless(context.staff, faults)
    const changed = changedLines(context, now, cards)
    const issued = new Map(now.map(one => [one.attr_id, one.issued_n]))
    faultless(context.staff, givenFaults({ ...termsOf(was), ...of, cards }, { ...was, issued }))
    await untaken(context, { tax_no: of.tax_no, id })
    const same = Object.entries(of).every(([key, value]) =>
      sameContent(was[key as keyof Channel], value),
    )
    if (same && changed.length === 0)
      throw ruled('no_change', ['没有任何改动', 'Nothing differs from what it is'])
    const credit_cents = await creditOf(context, was, of.credit_cents, reason)
    for (const { attr_id, discount_bp, quota_n } of changed)
      await context.tx
        .update(ecard_channel_card)
        .set({ discount_bp, quota_n })
        .where(lineOf(id, attr_id))
    const row = await once(channels.save(context, was, { ...of, credit_cents }, reason))
    if (changed.length > 0)
      channels.log(context, row, {
        before: {
          cards: now.filter(one => changed.some(to => to.attr_id === one.attr_id)).map(told),
        },
        after: { cards: changed.map(told) },
        reason,
      })
    return row
  },
  renew: async ({ start_at, end_at, contract, ...one }, context) => {
    const was = await heldFor(context, 'renew', one)
    const next = { start_at, end_at, contract }
    faultless(context.staff, {
      end_at: periodFault(next, context.now),
      start_at: overlapFault(next, [...periodOf(was), ...was.periods]),
    })
    const runs = was.end_at !== null && was.end_at > context.now
    if (runs) return channels.save(context, was, { periods: [...was.periods, next] })
    const periods = [...was.periods, ...periodOf(was)]
    const status = was.status === 'off' ? ('off' as const) : ('on' as const)
    return once(channels.save(context, was, { ...next, periods, status }))
  },
  addCard: async ({ attr_id, discount_bp, quota_n, ...one }, context) => {
    const was = await heldFor(context, 'edit', one)
    await faced(context, [{ attr_id, discount_bp, quota_n }])
    const [line] = await context.tx.select().from(ecard_channel_card).where(lineOf(was.id, attr_id))
    if (line?.status === 'on')
      throw invalid({ attr_id: ['该面值已在可售卡中', 'The face is there already'] })
    faultless(context.staff, {
      quota_n:
        line && quota_n < line.issued_n
          ? [
              `该面值曾发出 ${line.issued_n} 张，额度须包含在内`,
              `${line.issued_n} were issued before`,
            ]
          : undefined,
    })
    const values = { discount_bp, quota_n, status: 'on' as const }
    await (line
      ? context.tx.update(ecard_channel_card).set(values).where(lineOf(was.id, attr_id))
      : context.tx.insert(ecard_channel_card).values({ channel_id: was.id, attr_id, ...values }))
    return logged(context, was, { after: { cards: [told({ attr_id, discount_bp, quota_n })] } })
  },
  removeCard: async ({ attr_id, reason, ...one }, context) => {
    const was = await heldFor(context, 'edit', one)
    const rows = (await cardsOf(context.tx, [was.id])).get(was.id)!
    const line = rows.find(each => each.attr_id === attr_id)
    if (!line) throw ruled('no_card', ['该面值不在可售卡中', 'The channel has no such face'])
    if (rows.length === 1 && was.status !== 'draft')
      throw ruled('last_card', [
        '开通的渠道至少保留一种可售卡；要停止发卡请停用渠道',
        'An open channel keeps one card: stop the channel to end its issues',
      ])
    await context.tx
      .update(ecard_channel_card)
      .set({ status: 'off' })
      .where(lineOf(was.id, attr_id))
    return logged(context, was, { before: { cards: [told(line)] }, reason })
  },
  setIpList: async ({ ip_list, ...one }, context) => {
    const was = await heldFor(context, 'setIpList', one)
    const places = placesOf(ip_list)
    faultless(context.staff, {
      ip_list:
        placesFault(places) ??
        (places.length === 0 && was.status !== 'draft'
          ? ['接口合作方须保留至少一个地址', 'An API partner keeps one address at least']
          : undefined),
    })
    return channels.save(context, was, { ip_list: places })
  },
} satisfies { [K in keyof typeof channelEdit]: Handler<(typeof channelEdit)[K]> })
type Told = { before?: object; after?: object; reason?: string }
const logged = async (context: WriteContext, was: Channel, entry: Told) => {
  const after = await channels.set(context, was, {})
  channels.log(context, was, entry)
  return after
}

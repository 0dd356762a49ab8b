import { DAY } from '#src/domain/time.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { Corp, CorpFollow, CorpStaff } from './corp.demo.ts'
import type { TransferKind, TransferState } from './wecom.ts'
import { faultOfCode, keptWords } from './wecomFault.ts'

export type CorpGroup = {
  id: number
  chat_id: string
  name: string
  owner_id: number
  max_members: number
  mall_id: number | null
  tag_ids: number[]
  notice: string
  status: 'normal' | 'owner_left' | 'dismissed'
  opened_at: number
  dismissed_at: number | null
  last_active_at: number
}
export type CorpMember = {
  id: number
  group_id: number
  userid: string
  kind: 'staff' | 'customer'
  staff_id: number | null
  customer_id: number | null
  nickname: string
  join_scene: 'invite' | 'invite_link' | 'qrcode'
  inviter: string
  joined_at: number
  left_at: number | null
  quit_scene: 'self' | 'kicked' | null
}
export type CorpTransfer = {
  kind: TransferKind
  follow_id: number | null
  customer_id: number | null
  group_id: number | null
  from_staff_id: number
  to_staff_id: number
  notice: string
  reason: string
  status: TransferState
  fail_code: number
  fail_reason: string
  sent_at: number | null
  next_at: number
  done_at: number | null
  created_at: number
}

const kinds = [
  '福利群',
  '会员日群',
  '亲子群',
  '吃货群',
  '美妆群',
  '夜市群',
  '老友群',
  '观影群',
  '早市群',
]
const full = [3, 11, 19, 27]
/** Chats of the malls' advisers: some full, two whose owner left, one that was dismissed. */
export const makeGroups = (
  random: Random,
  { now, count, malls }: { now: number; count: number; malls: { id: number; name: string }[] },
  corp: Corp,
): CorpGroup[] => {
  const tags = corp.tagGroups.find(group => group.name === '兴趣品类')!.tags.map(tag => tag.id)
  const gone = corp.staff.filter(one => one.status === 'left')
  return Array.from({ length: count }, (_, at): CorpGroup => {
    const mall = malls[at % malls.length]!
    const owners = corp.staff.filter(
      one => one.status === 'active' && one.contact && one.mall_ids.includes(mall.id),
    )
    const isOrphan = at === 6 || at === 8
    const standing = at === count - 1 ? 'dismissed' : 'normal'
    const status = isOrphan ? 'owner_left' : standing
    const opened_at = now - random.int(30, 420) * DAY
    return {
      id: at + 1,
      chat_id: `wr${random.int(100_000, 999_999)}Mallet${String(at + 1).padStart(4, '0')}group`,
      name: `${mall.name}${kinds[at % kinds.length]!}${Math.floor(at / malls.length) + 1}`.slice(
        0,
        40,
      ),
      owner_id: isOrphan ? gone[at % gone.length]!.id : random.pick(owners).id,
      max_members: at % 4 === 1 ? 500 : 200,
      mall_id: at === 4 ? null : mall.id,
      tag_ids: random.shuffle(tags).slice(0, at % 3),
      notice: at % 3 === 0 ? '每周五晚八点发券，群内请勿发布其他商家广告。' : '',
      status,
      opened_at,
      dismissed_at: status === 'dismissed' ? now - 9 * DAY : null,
      last_active_at: at % 6 === 2 ? now - random.int(8, 30) * DAY : now - random.int(300, 2 * DAY),
    }
  })
}

/** Two who advertise: they sit in several chats, and are nobody's contact. */
const advertisers = (
  groups: readonly CorpGroup[],
  { now, after }: { now: number; after: number },
): CorpMember[] =>
  groups
    .filter(
      ({ status }, at) => status === 'normal' && !full.includes(at) && at % 3 === 1 && at < 14,
    )
    .flatMap((group, at) => [
      { group, at, userid: 'wmAdvertiser1', nickname: '低价团购小李' },
      { group, at, userid: 'wmAdvertiser2', nickname: '招兼职日结' },
    ])
    .map(({ group, at, ...who }, n) => ({
      id: after + n + 1,
      group_id: group.id,
      kind: 'customer' as const,
      staff_id: null,
      customer_id: null,
      join_scene: 'qrcode' as const,
      inviter: '',
      joined_at: now - (3 + at) * DAY,
      left_at: null,
      quit_scene: null,
      ...who,
    }))
/** Puts people into each chat, and some out of it again, `rows` in all; a full one takes nobody. */
export const makeMembers = (
  random: Random,
  { now, rows }: { now: number; rows: number },
  { corp, groups }: { corp: Corp; groups: readonly CorpGroup[] },
): CorpMember[] => {
  const all: CorpMember[] = []
  const usual = Math.floor(
    (rows - Math.min(4, groups.length) * 210) / Math.max(1, groups.length - 4),
  )
  const staffById = new Map(corp.staff.map(one => [one.id, one]))
  for (const [at, group] of groups.entries()) {
    const isFull = full.includes(at)
    const owner = staffById.get(group.owner_id)!
    const want = isFull ? Math.min(group.max_members, 200) : Math.min(usual, group.max_members - 6)
    if (isFull) group.max_members = 200
    const add = (of: Partial<CorpMember> & Pick<CorpMember, 'userid' | 'kind'>) => {
      const joined_at = Math.min(
        now - 120,
        group.opened_at + Math.floor(random.next() * (now - group.opened_at)),
      )
      all.push({
        id: all.length + 1,
        group_id: group.id,
        staff_id: null,
        customer_id: null,
        nickname: '',
        join_scene: random.weighted({ invite: 4, invite_link: 1, qrcode: 5 }),
        inviter: random.chance(0.5) ? owner.userid : '',
        joined_at,
        left_at: null,
        quit_scene: null,
        ...of,
      })
    }
    const team = [
      owner,
      ...corp.staff
        .filter(
          one =>
            one.id !== owner.id &&
            one.status === 'active' &&
            one.mall_ids.some(id => id === group.mall_id),
        )
        .slice(0, 2),
    ]
    for (const one of team)
      add({
        userid: one.userid,
        kind: 'staff',
        staff_id: one.id,
        nickname: one.name,
        joined_at: group.opened_at,
      })
    const start = random.int(0, corp.customers.length - 1)
    for (let n = 0; n < want - team.length; n++) {
      // A third of them is nobody's contact: WeCom tells only their name.
      const isStranger = n % 3 === 2
      const customer = corp.customers[(start + n * 7) % corp.customers.length]!
      if (isStranger)
        add({ userid: `wmGuest${group.id}x${n}`, kind: 'customer', nickname: `群友${n}` })
      else if (n * 7 < corp.customers.length)
        add({
          userid: customer.external_userid,
          kind: 'customer',
          customer_id: customer.id,
          nickname: customer.name,
        })
      // Beside those who are in it, some have left.
      const last = all.at(-1)!
      if (!isFull && last.kind === 'customer' && n % 9 === 4) {
        last.left_at = Math.min(now - 60, last.joined_at + random.int(1, 40) * DAY)
        last.quit_scene = n % 2 === 0 ? 'self' : 'kicked'
      }
    }
  }
  all.push(...advertisers(groups, { now, after: all.length }))
  return all
}

const shares: readonly (readonly [TransferState, number])[] = [
  ['waiting', 22],
  ['done', 54],
  ['refused', 12],
  ['cap_reached', 8],
  ['failed', 14],
  ['canceled', 6],
]
const failures: Partial<Record<TransferState, readonly [number, string]>> = {
  refused: [0, keptWords(['客户拒绝', 'The customer refused'])],
  cap_reached: [40099, keptWords(faultOfCode(40099).text)],
  failed: [40098, keptWords(faultOfCode(40098).text)],
}
/** Hand-overs in every state: those that are done made the relations that were taken over. */
export const makeTransfers = (
  random: Random,
  { now, count }: { now: number; count: number },
  corp: Corp,
): CorpTransfer[] => {
  const able: CorpStaff[] = corp.staff.filter(one => one.contact && one.status === 'active')
  const byId = new Map(corp.follows.map(one => [one.id, one]))
  const taken = corp.follows.filter(one => one.taken_from_id !== null)
  const live = corp.follows.filter(
    one => one.status === 'following' && one.taken_from_id === null && one.customer_id % 3 === 1,
  )
  const gone = new Set(corp.staff.filter(one => one.status === 'left').map(one => one.id))
  const all: CorpTransfer[] = []
  for (const [status, share] of shares) {
    const wanted = Math.max(1, Math.round((share / 116) * count))
    for (let n = 0; n < wanted; n++) {
      const next = status === 'done' ? taken[n] : live[(all.length * 5 + n) % live.length]
      if (!next || (status === 'waiting' && all.some(one => one.follow_id === next.id))) continue
      const from: CorpFollow = status === 'done' ? byId.get(next.taken_from_id!)! : next
      const to =
        status === 'done'
          ? next.staff_id
          : random.pick(able.filter(one => one.id !== from.staff_id)).id
      const asked = status === 'done' ? next.added_at - DAY : now - random.int(1, 20) * 3600
      const [fail_code, fail_reason] = failures[status] ?? [0, '']
      const ended = status === 'done' ? next.added_at : asked + 7200
      all.push({
        kind: gone.has(from.staff_id) ? 'resigned' : 'on_job',
        follow_id: from.id,
        customer_id: from.customer_id,
        group_id: null,
        from_staff_id: from.staff_id,
        to_staff_id: to,
        notice: '您好，后续由我为您服务',
        reason: n % 2 === 0 ? '人员调岗' : '区域调整',
        status,
        fail_code,
        fail_reason,
        sent_at: asked + 60,
        next_at: asked + DAY,
        done_at: status === 'waiting' ? null : ended,
        created_at: asked,
      })
    }
  }
  return all
}

import { DAY, dayStart, HOUR } from '#src/domain/time.ts'
import type { Random } from '#src/server/demo/random.ts'
import { givenNames, surnames } from '#src/server/demo/words.ts'
import { corpDepartments, positions, tagGroups, type CorpDepartment } from './corpWords.demo.ts'
import type { AddWay, FollowState, StaffState } from './wecom.ts'

/** One corp of WeCom as facts: the mirror's rows and the embedded WeCom's objects are made of it. */
export type CorpStaff = {
  id: number
  userid: string
  name: string
  position: string
  department: number
  status: StaffState
  contact: boolean
  mall_ids: number[]
  admin_id: number | null
  left_at: number | null
  daily_add_cap: number | null
  reply_rate_bp: number | null
}
export type CorpCustomer = {
  id: number
  external_userid: string
  name: string
  type: 'wechat' | 'wecom'
  gender: 'unknown' | 'male' | 'female'
  corp_name: string
  unionid: string | null
  member_id: number | null
  phone: string
  last_active_at: number
}
export type CorpFollow = {
  id: number
  customer_id: number
  staff_id: number
  remark: string
  description: string
  phones: string[]
  tag_ids: number[]
  add_way: AddWay
  source_state: string
  stage: 'new' | 'contacted' | 'interested' | 'ordered' | 'repeat' | 'silent'
  status: FollowState
  added_at: number
  lost_at: number | null
  taken_from_id: number | null
}
export type CorpTag = { id: number; tag_id: string; name: string; valid: boolean; auto: boolean }
export type CorpTagGroup = { id: number; group_id: string; name: string; tags: CorpTag[] }
export type Corp = {
  departments: CorpDepartment[]
  staff: CorpStaff[]
  tagGroups: CorpTagGroup[]
  customers: CorpCustomer[]
  follows: CorpFollow[]
}
export type Matchable = { id: number; unionid: string; phone: string; nickname: string }
export type CorpGiven = {
  now: number
  customers: number
  malls: { id: number; name: string }[]
  members: Matchable[]
  admins: number[]
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
/** An id as WeCom gives it: a few fixed letters, then signs that mean nothing. */
const idOf = (random: Random, begin: string, length: number): string =>
  begin + Array.from({ length }, () => SIGNS[random.int(0, SIGNS.length - 1)]).join('')

const hours = Object.fromEntries(
  Array.from({ length: 14 }, (_, at) => {
    const hour = at + 9
    const isBusy = (hour >= 11 && hour <= 13) || (hour >= 18 && hour <= 21)
    return [hour, isBusy ? 6 : 1]
  }),
) as Record<`${number}`, number>
/** A time of the last days when people come to a mall: at weekends, at noon, in the evening. */
const busyTime = (random: Random, now: number, days: number): number => {
  for (let tries = 0; ; tries++) {
    const day = dayStart(now) - random.int(0, days) * DAY
    const weekday = new Date((day + 8 * HOUR) * 1000).getUTCDay()
    if (tries < 6 && weekday !== 0 && weekday !== 6 && random.chance(0.6)) continue
    const at = day + Number(random.weighted(hours)) * HOUR + random.int(0, HOUR - 1)
    return Math.min(at, now - random.int(60, 2 * HOUR))
  }
}

const STAFF = 60
const LEFT = [57, 58, 59]
const DISABLED = [55, 56]
const NO_RIGHT = [9, 10, 53, 54]
const useridOf = (at: number): string => `adviser${at}`
const makeStaff = (
  random: Random,
  { now, malls, admins }: CorpGiven,
  departments: readonly CorpDepartment[],
): CorpStaff[] => {
  const used = new Set<string>()
  const house = departments.filter(one => one.mall === undefined && one.seats > 0)
  const shops = departments.filter(one => one.mall !== undefined && one.seats > 0)
  return Array.from({ length: STAFF }, (_, at): CorpStaff => {
    const of = at < 12 ? house[at % house.length]! : shops[(at - 12) % shops.length]!
    let name = ''
    while (!name || used.has(name)) name = random.pick([...surnames]) + random.pick(givenNames)
    used.add(name)
    const isLeft = LEFT.includes(at)
    return {
      id: at + 1,
      userid: useridOf(at + 1),
      name,
      position: random.pick(positions[of.mall === undefined ? 'house' : 'shop']),
      department: of.dept_id,
      status: statusAt(at),
      contact: !NO_RIGHT.includes(at) && !isLeft,
      mall_ids: of.mall === undefined ? [] : [malls[of.mall]!.id],
      admin_id: at % 7 === 0 ? (admins[at / 7] ?? null) : null,
      left_at: isLeft ? now - random.int(2, 12) * DAY : null,
      daily_add_cap: capAt(at),
      reply_rate_bp: at % 11 === 3 ? null : random.int(6800, 9900),
    }
  })
}

const nick = (random: Random): string => {
  const name = random.pick([...surnames]) + random.pick(givenNames)
  const kind = random.int(0, 19)
  if (kind === 0) return `${name}🌸`
  if (kind === 1) return random.pick([...surnames])
  if (kind === 2) return `✨${name}的小店✨`
  if (kind === 3)
    return `一只慢慢走路的${random.pick(['猫', '熊', '兔子', '企鹅'])}在人民广场等风来`
  if (kind < 9)
    return `${name.slice(-1)}${name.slice(-1)}${random.pick(['妈妈', '同学', '酱', ''])}`
  return name
}
const makeCustomers = (random: Random, given: CorpGiven): CorpCustomer[] => {
  const matched = random.shuffle(given.members).slice(0, Math.round(given.customers * 0.7))
  const used = new Set<string>()
  const places = random.shuffle(Array.from({ length: given.customers }, (_, at) => at))
  const memberAt = new Map(places.slice(0, matched.length).map((at, n) => [at, matched[n]!]))
  return Array.from({ length: given.customers }, (_, at): CorpCustomer => {
    const member = memberAt.get(at)
    let external_userid = ''
    while (!external_userid || used.has(external_userid)) external_userid = idOf(random, 'wm', 30)
    used.add(external_userid)
    const isCorp = at > 0 && at % Math.floor(given.customers / 6) === 0
    return {
      id: at + 1,
      external_userid,
      name: nick(random),
      type: isCorp ? 'wecom' : 'wechat',
      gender: random.weighted({ female: 6, male: 3, unknown: 1 }),
      corp_name: isCorp ? random.pick(['云杉设计事务所', '拾光文化传播', '远帆国际物流']) : '',
      unionid: member?.unionid ?? (isCorp || at % 3 === 0 ? null : idOf(random, 'oWecom', 20)),
      member_id: member?.id ?? null,
      phone: member && at % 3 === 0 ? member.phone : '',
      last_active_at: given.now - Math.floor(random.next() ** 2 * 90 * DAY) - 600,
    }
  })
}

const ways = {
  unknown: 2,
  qrcode: 40,
  phone_search: 10,
  card: 6,
  group_chat: 14,
  address_book: 2,
  wechat_contact: 4,
  friend_apply: 4,
  miniprogram: 10,
  shared: 3,
  assigned: 5,
} as const
const stageWeights = {
  new: 20,
  contacted: 25,
  interested: 20,
  ordered: 18,
  repeat: 10,
  silent: 7,
} as const

/** So many codes hang in the malls of the demo, and an adviser answers every ninth of them. */
export const SCANNED_CODES = 45
/** What WeCom tells of who came by a code: one of those that the adviser answers. */
export const stateFor = (staff_id: number, customer_id: number): string =>
  `store-${(staff_id % 9) + 1 + 9 * (customer_id % (SCANNED_CODES / 9))}`

type Draft = Omit<CorpFollow, 'id' | 'taken_from_id'> & { from?: CorpFollow }
const follower = (random: Random, corp: { tagIds: readonly number[]; now: number }) => {
  const tagsOf = (): number[] =>
    random.chance(0.35)
      ? []
      : random
          .shuffle(corp.tagIds)
          .slice(0, random.int(1, 4))
          .sort((a, b) => a - b)
  return (customer: CorpCustomer, staff: CorpStaff, added_at: number): Draft => {
    const add_way = random.weighted(ways)
    return {
      customer_id: customer.id,
      staff_id: staff.id,
      remark: random.chance(0.5) ? customer.name.slice(0, 18) : '',
      description: random.chance(0.15)
        ? random.pick(['常来亲子区，周末到店', '关注会员日', '问过停车券'])
        : '',
      phones: customer.phone && random.chance(0.4) ? [customer.phone] : [],
      tag_ids: tagsOf(),
      add_way,
      source_state: add_way === 'qrcode' ? stateFor(staff.id, customer.id) : '',
      stage: random.weighted(stageWeights),
      status: 'following',
      added_at,
      lost_at: null,
    }
  }
}
/** Ends a relation at a time between its beginning and now. */
const ended = (random: Random, now: number, of: Draft, status: FollowState): void => {
  of.status = status
  of.lost_at = Math.max(
    of.added_at + 60,
    now - Math.floor(random.next() ** 2 * (now - of.added_at)),
  )
}

const statusAt = (at: number) => {
  if (LEFT.includes(at)) return 'left' as const
  return DISABLED.includes(at) ? ('disabled' as const) : ('active' as const)
}
/** Two are full at noon; some have a cap that is far away. */
const capAt = (at: number): number | null => {
  if (at === 13 || at === 14) return 3
  return at % 5 === 0 ? 60 : null
}
/** Relations: the first of every customer, further ones, those that ended and were taken up again. */
const makeFollows = (
  random: Random,
  { now }: CorpGiven,
  corp: Omit<Corp, 'follows' | 'departments'>,
): CorpFollow[] => {
  const tagIds = corp.tagGroups.flatMap(group =>
    group.tags.filter(tag => tag.valid).map(tag => tag.id),
  )
  const draw = follower(random, { tagIds, now })
  const able = corp.staff.filter(one => one.contact && one.status !== 'left')
  const gone = corp.staff.filter(one => one.status === 'left')
  const all: CorpFollow[] = []
  const put = ({ from, ...of }: Draft): CorpFollow => {
    const row = { ...of, id: all.length + 1, taken_from_id: from?.id ?? null }
    all.push(row)
    return row
  }
  for (const customer of corp.customers) {
    const at = customer.id
    // What a colleague who left still holds waits to be handed over.
    const first = at % 23 < 3 ? gone[at % gone.length]! : random.pick(able)
    const started = busyTime(random, now, first.status === 'left' ? 200 : 360)
    const begun = first.left_at ? Math.min(started, first.left_at - DAY) : started
    const one = draw(customer, first, begun)
    if (at % 25 < 3 && first.status !== 'left') {
      ended(random, now, one, random.chance(0.75) ? 'deleted_by_customer' : 'deleted_by_staff')
      put(one)
      continue
    }
    const isHandedOver = first.status !== 'left' && at % 50 === 7
    if (isHandedOver) ended(random, now, one, 'transferred')
    const kept = put(one)
    if (isHandedOver) {
      const to = random.pick(able.filter(other => other.id !== first.id))
      put({
        ...draw(customer, to, kept.lost_at!),
        remark: kept.remark,
        tag_ids: kept.tag_ids,
        add_way: 'assigned',
        from: kept,
      })
      continue
    }
    if (at % 8 === 0) {
      const others = random.shuffle(able.filter(other => other.id !== first.id))
      for (const other of others.slice(0, random.int(1, 2)))
        put(draw(customer, other, busyTime(random, now, 300)))
    } else if (at % 14 === 1 && first.status !== 'left') {
      // One who went came back to the same adviser.
      const before = draw(customer, first, kept.added_at - random.int(20, 60) * DAY)
      before.status = 'deleted_by_customer'
      before.lost_at = before.added_at + random.int(1, 15) * DAY
      put(before)
    }
  }
  return all
}

/** Makes the corp: the same for the same chance and the same members. */
export const makeCorp = (random: Random, given: CorpGiven): Corp => {
  const departments = corpDepartments(given.malls.map(mall => mall.name))
  const staff = makeStaff(random.branch('staff'), given, departments)
  const ids = random.branch('tags')
  let tag = 0
  const groups = tagGroups.map(([name, tags], at) => ({
    id: at + 1,
    group_id: idOf(ids, 'et', 28),
    name,
    tags: tags.map(one => ({
      id: ++tag,
      tag_id: idOf(ids, 'et', 28),
      name: one,
      valid: ![17, 40, 66].includes(tag),
      auto: tag % 9 === 4,
    })),
  }))
  const customers = makeCustomers(random.branch('customers'), given)
  // Two accounts of WeChat that WeCom tells under one unionid.
  const [known, other] = [
    customers.find(one => one.member_id !== null)!,
    customers.find(one => one.member_id === null && one.id > 3 && one.type === 'wechat')!,
  ]
  other.unionid = known.unionid
  const corp = { staff, tagGroups: groups, customers }
  return { ...corp, departments, follows: makeFollows(random.branch('follows'), given, corp) }
}

import { DAY } from '#src/domain/time.ts'
import type { Corp } from './corp.demo.ts'
import type { CorpGroup, CorpMember, CorpTransfer } from './corpGroups.demo.ts'
import { codeOfWay, type StaffState } from './wecom.ts'
import type { CorpObjectKind } from './wecomPort.table.ts'

type Row = { kind: CorpObjectKind; key: string; body: Record<string, unknown> }
const statuses: Readonly<Record<StaffState, number>> = {
  active: 1,
  disabled: 2,
  inactive: 4,
  left: 5,
}
const scenes = { invite: 1, invite_link: 2, qrcode: 3 } as const

const directory = (corp: Corp): Row[] => [
  ...corp.departments
    .filter(one => !one.is_gone)
    .map(one => ({
      kind: 'department' as const,
      key: String(one.dept_id),
      body: {
        id: one.dept_id,
        name: one.name,
        parentid: one.parent ?? 0,
        order: one.sort,
        department_leader: corp.staff
          .filter(user => user.department === one.dept_id && user.status === 'active')
          .slice(0, 1)
          .map(user => user.userid),
      },
    })),
  ...corp.staff.map(one => ({
    kind: 'user' as const,
    key: one.userid,
    body: {
      userid: one.userid,
      name: one.name,
      department: [one.department],
      main_department: one.department,
      position: one.position,
      status: statuses[one.status],
      contact: one.contact,
    },
  })),
]
const tags = (corp: Corp): Row[] =>
  corp.tagGroups.map(group => ({
    kind: 'tag_group',
    key: group.group_id,
    body: {
      group_id: group.group_id,
      group_name: group.name,
      order: 1000 - group.id,
      tag: group.tags
        .filter(tag => tag.valid)
        .map(tag => ({ id: tag.tag_id, name: tag.name, order: 1000 - tag.id })),
    },
  }))
const externals = (corp: Corp): Row[] => {
  const userid = new Map(corp.staff.map(one => [one.id, one.userid]))
  const named = new Map(
    corp.tagGroups.flatMap(group =>
      group.tags.map(tag => [
        tag.id,
        { group_name: group.name, tag_name: tag.name, tag_id: tag.tag_id, type: 1 },
      ]),
    ),
  )
  const live = new Map<number, Corp['follows']>()
  for (const one of corp.follows)
    if (one.status === 'following')
      live.set(one.customer_id, [...(live.get(one.customer_id) ?? []), one])
  return corp.customers.flatMap(customer => {
    const follows = live.get(customer.id)
    if (!follows) return []
    const genders = { unknown: 0, male: 1, female: 2 } as const
    return [
      {
        kind: 'external' as const,
        key: customer.external_userid,
        body: {
          external_contact: {
            external_userid: customer.external_userid,
            name: customer.name,
            type: customer.type === 'wecom' ? 2 : 1,
            gender: genders[customer.gender],
            ...(customer.unionid && { unionid: customer.unionid }),
            ...(customer.corp_name && { corp_name: customer.corp_name }),
          },
          follow_user: follows.map(one => ({
            userid: userid.get(one.staff_id),
            remark: one.remark,
            description: one.description,
            createtime: one.added_at,
            remark_mobiles: one.phones,
            add_way: codeOfWay(one.add_way),
            oper_userid: userid.get(one.staff_id),
            ...(one.source_state && { state: one.source_state }),
            tags: one.tag_ids.map(id => named.get(id)),
          })),
        },
      },
    ]
  })
}
const chats = (corp: Corp, groups: readonly CorpGroup[], members: readonly CorpMember[]): Row[] => {
  const userid = new Map(corp.staff.map(one => [one.id, one.userid]))
  return groups
    .filter(group => group.status !== 'dismissed')
    .map(group => ({
      kind: 'group_chat' as const,
      key: group.chat_id,
      body: {
        chat_id: group.chat_id,
        name: group.name,
        owner: userid.get(group.owner_id),
        create_time: group.opened_at,
        notice: group.notice,
        member_list: members
          .filter(one => one.group_id === group.id && one.left_at === null)
          .map(one => ({
            userid: one.userid,
            type: one.kind === 'staff' ? 1 : 2,
            join_time: one.joined_at,
            join_scene: scenes[one.join_scene],
            ...(one.inviter && { invitor: { userid: one.inviter } }),
            name: one.nickname,
          })),
        admin_list: [],
      },
    }))
}
/** Hand-overs that wait for the customer's word. */
const waiting = (corp: Corp, transfers: readonly CorpTransfer[]): Row[] => {
  const userid = new Map(corp.staff.map(one => [one.id, one.userid]))
  const external = new Map(corp.customers.map(one => [one.id, one.external_userid]))
  return transfers
    .filter(one => one.status === 'waiting')
    .map(one => {
      const of = {
        handover_userid: userid.get(one.from_staff_id)!,
        takeover_userid: userid.get(one.to_staff_id)!,
        external_userid: external.get(one.customer_id!)!,
        at: one.sent_at!,
      }
      return {
        kind: 'transfer' as const,
        key: [of.handover_userid, of.takeover_userid, of.external_userid, of.at].join('>'),
        body: { kind: one.kind, ...of, status: 2, due_at: of.at + DAY },
      }
    })
}
type Beside = {
  groups: readonly CorpGroup[]
  members: readonly CorpMember[]
  transfers: readonly CorpTransfer[]
}
/** The corp as the embedded WeCom answers it, of the same facts as the mirror. */
export const corpBodies = (corp: Corp, { groups, members, transfers }: Beside): Row[] => [
  ...directory(corp),
  ...tags(corp),
  ...externals(corp),
  ...chats(corp, groups, members),
  ...waiting(corp, transfers),
]

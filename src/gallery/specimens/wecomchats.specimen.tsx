import { useState } from 'react'
import { memberTabs } from '#src/areas/wecom/groups.ts'
import type { ChatPerson } from '#src/contract/wecom.ts'
import type { Text } from '#src/domain/text.ts'
import type { ToneName } from '#src/kit/show.tsx'
import { ChatPeople, DailyMoves, Health, WorstFault, type PeopleAt } from '#src/kit/wecomchats.tsx'
import type { Specimen } from '../specimen.ts'

const at = 1_772_380_800
const words = {
  full: ['全部已满', 'All are full'],
  owner_left: ['群主离职', 'Owner left'],
} as const satisfies Record<string, Text>
const tones: Readonly<Record<keyof typeof words, ToneName>> = { full: 'bad', owner_left: 'warn' }
const faults = ['full', 'owner_left'] as const
const mend = { full: '追加有空位的群', owner_left: '转让群主' }
const person: ChatPerson = {
  id: 1,
  name: '一只慢慢走路的猫',
  kind: 'customer',
  customer_id: 1,
  member: { id: 1, nickname: '沈可欣', uid: 'U10001742', level: 4 },
  join_scene: 'invite',
  inviter_name: '胡雨桐',
  joined_at: at,
  left_at: null,
  quit_scene: null,
  is_double: true,
  groups: [{ id: 2, name: '星河里老友群2' }],
  groups_n: 2,
  orders_n: 5,
}
const people: ChatPerson[] = [
  person,
  { ...person, id: 2, name: '韩丽华', kind: 'staff', member: null, groups: [], groups_n: 0 },
  { ...person, id: 3, removal: 'open', left_at: at + 3600, quit_scene: 'kicked', is_double: false },
]
const read = <T,>(data: T) => ({ data, refetch: () => {} })
const parts = Object.fromEntries(Object.keys(memberTabs).map(key => [key, 1]))
const links = { customer: () => undefined, chat: () => '/chat' }
const People = ({ rows }: { rows: ChatPerson[] }) => {
  const [shown, go] = useState<PeopleAt>({ part: 'all', page: 1 })
  return (
    <ChatPeople
      title="会员福利群3"
      of={read({ list: rows, total: rows.length })}
      parts={parts}
      at={shown}
      go={go}
      links={links}
    />
  )
}
const Days = ({ clipped }: { clipped: boolean }) => {
  const [span, go] = useState<'30' | '365'>('30')
  return (
    <DailyMoves
      spans={['30', '365']}
      at={span}
      go={go}
      of={read({ clipped, from: '2026-06-01', joins: 12 })}
    >
      {({ joins }) => <p className="m-num">{joins}</p>}
    </DailyMoves>
  )
}
export const specimen: Specimen = {
  part: 'wecomchats',
  title: ['企微群的健康与成员', 'Health and people of WeCom chats'],
  states: [
    {
      name: ['异常', 'What is wrong'],
      draw: () => <WorstFault faults={faults} words={words} tones={tones} />,
    },
    {
      name: ['没有异常', 'Well'],
      draw: () => <WorstFault faults={[]} words={words} tones={tones} />,
    },
    {
      name: ['处理', 'What mends it'],
      draw: () => <Health faults={faults} words={words} tones={tones} mend={mend} />,
    },
    {
      name: ['不再处理', 'Nothing is mended any more'],
      draw: () => <Health faults={[]} words={words} tones={tones} mend={mend} over="群已解散" />,
    },
    { name: ['每日进退群', 'Joins and leaves'], draw: () => <Days clipped={false} /> },
    { name: ['超出保留', 'More than is kept'], draw: () => <Days clipped /> },
    { name: ['成员', 'People'], draw: () => <People rows={people} /> },
    { name: ['没有成员', 'Nobody'], draw: () => <People rows={[]} /> },
  ],
}

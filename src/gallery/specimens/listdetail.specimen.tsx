import { Inspector } from '#src/kit/inspector.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section } from '#src/kit/show.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const parts = [
  <p key="list">列表</p>,
  <Inspector key="detail" title={longNames[0]}>
    <Section title="基本信息">
      <Facts>
        <Fact label="价格">¥64.93</Fact>
      </Facts>
    </Section>
  </Inspector>,
] as const
export const specimen: Specimen = {
  part: 'listdetail',
  title: ['列表与详情', 'A list and its detail'],
  states: [
    { name: ['并排', 'Side by side'], height: 180, draw: () => <ListDetail>{parts}</ListDetail> },
    {
      name: ['在详情中处理', 'The work is in the detail'],
      height: 180,
      draw: () => <ListDetail work>{parts}</ListDetail>,
    },
    {
      name: ['只看详情', 'The detail alone'],
      height: 180,
      draw: () => <ListDetail alone>{parts}</ListDetail>,
    },
  ],
}

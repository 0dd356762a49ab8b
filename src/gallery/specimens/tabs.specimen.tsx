import { Tabs } from '#src/kit/tabs.tsx'
import { Kept } from '../frame.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const tabs = (titles: readonly string[]) => (
  <Kept first="0">
    {(at, go) => (
      <Tabs
        label="状态"
        all={titles.map((title, key) => ({ key: String(key), title }))}
        at={at}
        go={go}
      />
    )}
  </Kept>
)
export const specimen: Specimen = {
  part: 'tabs',
  title: ['标签页', 'Tabs'],
  states: [
    { name: ['三个', 'Three'], draw: () => tabs(['待审核 12', '已通过', '已驳回']) },
    { name: ['长名称', 'Long names'], draw: () => tabs(longNames) },
  ],
}

import { Inspector } from '#src/kit/inspector.tsx'
import { TreePage } from '#src/kit/treepage.tsx'
import { add, edit, refuse } from '../actions.ts'
import { longNames } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

type Node = {
  id: number
  parent_id: number | null
  name: string
  level: number
  version: number
}
const nodes: readonly Node[] = [
  { id: 1, parent_id: null, name: '退款售后', level: 1, version: 0 },
  { id: 11, parent_id: 1, name: '退款未到账', level: 2, version: 0 },
  { id: 12, parent_id: 1, name: longNames[0]!, level: 2, version: 0 },
  { id: 2, parent_id: null, name: '其他', level: 1, version: 0 },
]
const page = (name: State['name'], list: readonly Node[] | undefined): State => ({
  name,
  height: 260,
  draw: () => (
    <TreePage
      name="gallery-treepage"
      label="问题分类"
      read={{
        data: list && { list: [...list] },
        currentData: list && { list: [...list] },
        isFetching: !list,
        isLoading: !list,
        error: undefined,
        refetch: () => undefined,
      }}
      actions={[add, edit, refuse]}
      create={add}
      move={edit}
      depth={2}
      wordsOf={row => row.name}
      draw={row => <span className="m-name">{row.name}</span>}
      figures={[{ key: 'id', title: ['编号', 'No.'], width: 60, cell: row => row.id }]}
      sum={rows => `${rows.length} 个分类`}
      none="选择一个分类"
    >
      {row => <Inspector title={row.name} />}
    </TreePage>
  ),
})
export const specimen: Specimen = {
  part: 'treepage',
  title: ['树页', 'A page that keeps a tree'],
  states: [
    page(['浏览', 'To walk through'], nodes),
    page(['还没有节点', 'Nothing yet'], []),
    page(['加载中', 'Loading'], undefined),
  ],
}

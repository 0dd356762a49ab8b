import { Tree, type TreeNode } from '#src/kit/tree.tsx'
import { Kept } from '../frame.tsx'
import { longNames } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

type Node = TreeNode & { words: string }
const nodes: readonly Node[] = [
  { key: 1, parent: null, words: '华北' },
  { key: 11, parent: 1, words: '北京' },
  { key: 12, parent: 1, words: longNames[0]! },
  { key: 2, parent: null, words: '东北' },
  { key: 21, parent: 2, words: '长春' },
  { key: 22, parent: 2, words: '吉林' },
]
const tree = (
  name: State['name'],
  of: readonly Node[],
  kind: 'plain' | 'ticks' | 'locked' | 'moves',
): State => ({
  name,
  height: 260,
  draw: () => (
    <Kept<TreeNode['key'] | undefined> first={11}>
      {(focused, focus) => (
        <Kept<ReadonlySet<TreeNode['key']>> first={new Set([11, 21])}>
          {(on, change) => (
            <Tree
              name={`gallery-${kind}`}
              label="地区"
              nodes={of}
              wordsOf={node => node.words}
              focused={focused}
              onFocus={focus}
              {...(kind === 'moves' && { onPlace: () => undefined })}
              {...((kind === 'ticks' || kind === 'locked') && {
                ticks: {
                  on,
                  change: (leaves: TreeNode['key'][], ticked: boolean) =>
                    change(
                      new Set(
                        ticked ? [...on, ...leaves] : [...on].filter(key => !leaves.includes(key)),
                      ),
                    ),
                  ...(kind === 'locked' && { locked: () => '超出你自己的权限' }),
                },
              })}
            />
          )}
        </Kept>
      )}
    </Kept>
  ),
})
export const specimen: Specimen = {
  part: 'tree',
  title: ['树', 'A tree'],
  states: [
    tree(['浏览', 'To walk through'], nodes, 'plain'),
    tree(['勾选', 'To tick'], nodes, 'ticks'),
    tree(['没有权限勾选', 'Not to be ticked'], nodes, 'locked'),
    tree(['可移动', 'To arrange'], nodes, 'moves'),
    tree(['空', 'Empty'], [], 'plain'),
  ],
}

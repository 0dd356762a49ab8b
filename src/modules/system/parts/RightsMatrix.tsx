import { useMemo, type ReactNode } from 'react'
import { builtinRole, SUPER_ADMIN } from '#src/areas/people/people.ts'
import { viewOf } from '#src/areas/people/rights.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Tree } from '#src/kit/tree.tsx'
import type { PermModule } from '../contract/role.ts'
import type { RoleDetail } from './roleDrafts.ts'
import './people.css'

type Leaf = {
  key: string
  parent: string | null
  kind: 'module' | 'page' | 'leaf'
  words: string
  danger?: boolean
  mine?: boolean
}

const useNodes = (modules: readonly PermModule[]) => {
  const now = useLang()
  const nodes = useMemo(
    () =>
      modules.flatMap((module): Leaf[] => [
        { key: `m:${module.key}`, parent: null, kind: 'module', words: titleIn(module, now) },
        ...module.pages.flatMap((one): Leaf[] => [
          {
            key: `p:${one.path}`,
            parent: `m:${module.key}`,
            kind: 'page',
            words: titleIn(one, now),
          },
          ...one.leaves.map((leaf): Leaf => ({
            key: leaf.key,
            parent: `p:${one.path}`,
            kind: 'leaf',
            words: titleIn(leaf, now),
            danger: leaf.danger,
            mine: leaf.mine,
          })),
        ]),
      ]),
    [modules, now],
  )
  const below = useMemo(() => {
    const leaves = new Map<string, string[]>()
    for (const module of modules) {
      leaves.set(
        `m:${module.key}`,
        module.pages.flatMap(one => one.leaves.map(leaf => leaf.key)),
      )
      for (const one of module.pages)
        leaves.set(
          `p:${one.path}`,
          one.leaves.map(leaf => leaf.key),
        )
    }
    return leaves
  }, [modules])
  const mine = useMemo(
    () => new Set(nodes.filter(node => node.mine).map(node => node.key)),
    [nodes],
  )
  const known = useMemo(
    () => new Set(nodes.filter(node => node.kind === 'leaf').map(node => node.key)),
    [nodes],
  )
  return { nodes, below, mine, known }
}
const OneRight = ({ of: node, on, was }: { of: Leaf; on: boolean; was: boolean }) => {
  const say = useSay()
  return (
    <>
      <span className="m-name">{node.words}</span>
      {node.danger && <Badge tone="bad">{say(['危险', 'Danger'])}</Badge>}
      {on !== was && (
        <Badge tone={on ? 'good' : 'warn'}>
          {on ? say(['新增', 'Added']) : say(['移除', 'Removed'])}
        </Badge>
      )}
      <span className="m-fill" />
      <code className="p-code">{node.key}</code>
    </>
  )
}
/** A module or a page, with how many of its rights the role has. */
const Group = ({ of: node, on, all }: { of: Leaf; on: number; all: number }) => (
  <>
    <span className="m-name">{node.kind === 'module' ? <b>{node.words}</b> : node.words}</span>
    <span className="m-fill" />
    <span className="p-count">
      {on} / {all}
    </span>
  </>
)
/** All rights of the console as a tree, ticked where the role has them. */
export const RightsMatrix = ({
  detail,
  modules,
  perms,
  base,
  change,
  onLeaf,
  bar,
}: {
  detail: RoleDetail
  modules: readonly PermModule[]
  perms: ReadonlySet<string>
  base: ReadonlySet<string>
  change: (next: Set<string>) => void
  onLeaf: (leaf: string | undefined) => void
  bar: ReactNode
}) => {
  const say = useSay()
  const [focused, setFocused] = usePaneState<string | undefined>('matrix', undefined)
  const { nodes, below, mine, known } = useNodes(modules)
  const focus = (key: string) => {
    setFocused(key)
    onLeaf(known.has(key) ? key : undefined)
  }
  const tick = (leaves: readonly string[], on: boolean) => {
    const next = new Set(perms)
    for (const leaf of leaves) {
      if (on) {
        next.add(leaf)
        if (known.has(viewOf(leaf))) next.add(viewOf(leaf))
      } else next.delete(leaf)
      // Without its view none of a page's actions is of use.
      if (!on && leaf === viewOf(leaf))
        for (const other of known) if (viewOf(other) === leaf) next.delete(other)
    }
    change(next)
  }
  const whyLocked = (key: string) => {
    if (detail.role.code === SUPER_ADMIN) return say(builtinRole)
    if (mine.has(key)) return undefined
    return say([
      '你没有这项权限，不能授予或收回',
      'You lack this right, so you can neither give nor take it',
    ])
  }
  return (
    <Tree
      name="matrix"
      label={say(['权限', 'Rights'])}
      nodes={nodes}
      wordsOf={node => (node.kind === 'leaf' ? `${node.words} ${node.key}` : node.words)}
      focused={focused}
      onFocus={key => focus(key as string)}
      beside
      levels={1}
      bar={bar}
      ticks={{
        on: perms,
        change: (leaves, on) => tick(leaves as string[], on),
        locked: key => whyLocked(key as string),
      }}
      draw={node => {
        if (node.kind === 'leaf')
          return <OneRight of={node} on={perms.has(node.key)} was={base.has(node.key)} />
        const leaves = below.get(node.key)!
        return (
          <Group of={node} on={leaves.filter(key => perms.has(key)).length} all={leaves.length} />
        )
      }}
    />
  )
}

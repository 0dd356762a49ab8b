import { useContext, useSyncExternalStore, type ReactNode } from 'react'
import { FoldedContext } from './detail.ts'
import { SaidContext, unheard } from './said.ts'
import { Fact, Facts, Section } from './show.tsx'
import { Empty, Loading } from './states.tsx'
import { useSay } from './text.ts'
import { Decisions } from './toolbar.tsx'

/**
 * The side of a list that tells of the row in focus: its name, what stands beside it, and sections
 * below. Scrolls by itself; says so when no row is chosen.
 */
export const Inspector = ({
  title,
  aside,
  still = false,
  children,
}: {
  title: string | undefined
  aside?: ReactNode
  /** It tells of the page, not of the row in focus: what is done with the row is no button of it. */
  still?: boolean
  children?: ReactNode
}) => {
  const say = useSay()
  if (title === undefined)
    return <Empty title={say(['选择一行查看详情', 'Choose a row to see it'])} />
  return (
    <article className="m-inspector" tabIndex={0} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {aside}
        {!still && <Decisions />}
      </header>
      {children}
      <FoldedFacts />
    </article>
  )
}
/** What the list beside it has no room to show of the row, and the detail does not say itself. */
export const FoldedFacts = () => {
  const say = useSay()
  const folded = useContext(FoldedContext)
  const said = useContext(SaidContext)
  const names = useSyncExternalStore(said.hear, said.names)
  const unsaid = folded?.filter(({ title }) => !names.has(say(title))) ?? []
  if (unsaid.length === 0) return null
  return (
    <SaidContext value={unheard}>
      <Section title={say(['列表中收起的列', 'Hidden columns'])}>
        <Facts>
          {unsaid.map(({ key, title, cell }) => (
            <Fact key={key} label={say(title)}>
              {cell}
            </Fact>
          ))}
        </Facts>
      </Section>
    </SaidContext>
  )
}

/**
 * What stands beside a list: the row in focus, drawn by `children`; until one is chosen `none` says
 * what there is to choose. The list itself says why it could not be loaded, and offers to try again.
 */
export const Chosen = <Row,>({
  of,
  none,
  children,
}: {
  of: { focusedRow: Row | undefined; loaded: boolean; error?: unknown }
  none: ReactNode
  children: (row: Row) => ReactNode
}) => {
  if (of.focusedRow) return children(of.focusedRow)
  return of.loaded ? <Empty title={none} /> : <NoneYet of={of} />
}
/** What stands beside a list that has not come, or could not be loaded. */
export const NoneYet = ({ of }: { of: { error?: unknown } }) => {
  const say = useSay()
  if (of.error === undefined) return <Loading />
  return (
    <Empty title={say(['列表加载后在此显示详情', 'Details show here once the list is loaded'])} />
  )
}

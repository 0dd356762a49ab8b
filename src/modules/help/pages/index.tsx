import { Button, InputGroup } from '@blueprintjs/core'
import { ArrowRight, Search } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { articles, type Article } from '#commands/articles.ts'
import { to, type Action, type Page } from '#commands/command.ts'
import { help } from '#commands/pages/home.ts'
import { glossary } from '#src/areas/workbench/glossary.ts'
import type { Term } from '#src/areas/workbench/term.ts'
import type { Text } from '#src/domain/text.ts'
import { PressButton, useLacks } from '#src/kit/pressable.tsx'
import { Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import '../help.css'

/** A sentence whose `[[action]]` are the keys the reader has for it now. */
const Sentence = ({ of }: { of: Text }) => {
  const say = useSay()
  const { keysOf } = useWorkbench()
  return say(of)
    .split(/\[\[([\w.]+)\]\]/)
    .map((part, i) =>
      i % 2 === 0 ? (
        part
      ) : (
        <kbd key={i} className="m-key">
          {keysOf(part) ?? say(['未设按键', 'no key'])}
        </kbd>
      ),
    )
}
/** What this person may read. */
const useMine = () => {
  const { me, pageAt } = useWorkbench()
  return useMemo(
    () => ({
      articles: articles.filter(one => one.does.some(({ permit }) => me.can(permit))),
      terms: glossary.filter(one => {
        const page = pageAt(one.at)
        return page !== undefined && me.can(page.permit)
      }),
    }),
    [me, pageAt],
  )
}
/**
 * Where it is done: a page opens beside, an action is pointed at. What the reader may not do says
 * so.
 */
const Places = ({ of }: { of: Article['does'] }) => {
  const say = useSay()
  const now = useLang()
  const { open, show, keysOf } = useWorkbench()
  const lacks = useLacks()
  const does = (one: Action | Page) => {
    if (one.kind === 'page') open(one.path, 'beside')
    else show(one)
  }
  const whereOf = (one: Action | Page) =>
    one.kind === 'page' ? say(['打开页面', 'opens the page']) : titleIn(one.at, now)
  // The page of one record is reached by its list.
  const ways = of.filter(
    one => one.kind === 'action' || !one.search || one.search.safeParse({}).success,
  )
  return (
    <section className="hp-do" aria-label={say(['现在就做', 'Do it now'])}>
      <h3>{say(['现在就做', 'Do it now'])}</h3>
      <ul>
        {ways.map(one => {
          const why = lacks(one)
          const keys = one.kind === 'page' ? undefined : keysOf(one.id)
          return (
            <li key={one.kind === 'page' ? one.path : one.id}>
              <PressButton
                size="small"
                variant="outlined"
                icon={<ArrowRight />}
                why={why}
                onClick={() => does(one)}
              >
                {titleIn(one, now)}
                {keys && <kbd className="m-key">{keys}</kbd>}
              </PressButton>
              <span className="m-muted">
                {why ? say(['需要权限', 'Needs a right']) : whereOf(one)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
const ArticleOf = ({ of }: { of: Article }) => {
  const say = useSay()
  return (
    <article aria-label={say(of.title)}>
      <h2>{say(of.title)}</h2>
      <ol>
        {of.steps.map(step => (
          <li key={step[1]}>
            <Sentence of={step} />
          </li>
        ))}
      </ol>
      <Places of={of.does} />
    </article>
  )
}
const TermOf = ({ of }: { of: Term }) => {
  const say = useSay()
  const now = useLang()
  const { pageAt, open } = useWorkbench()
  const page = pageAt(of.at)
  return (
    <article aria-label={say(of.title)}>
      <h2>{say(of.title)}</h2>
      <p className="hp-means">{say(of.means)}</p>
      {page && (
        <section className="hp-do">
          <h3>{say(['在这里看到', 'Where it stands'])}</h3>
          <ul>
            <li>
              <Button
                size="small"
                variant="outlined"
                icon={<ArrowRight />}
                onClick={() => open(of.at, 'beside')}
              >
                {titleIn(page, now)}
              </Button>
            </li>
          </ul>
        </section>
      )}
    </article>
  )
}

/** What there is to read: one article or word, and all the others below it. */
export default function Help() {
  const say = useSay()
  const id = new URLSearchParams(useSearch()).get('id') ?? ''
  const mine = useMine()
  const [typed, setTyped] = useState('')
  const words = typed.normalize('NFKC').trim().toLowerCase()
  const fits = (texts: readonly string[]) =>
    words === '' || texts.some(text => text.toLowerCase().includes(words))
  const shown = {
    articles: mine.articles.filter(one => fits([...one.title, ...one.asks])),
    terms: mine.terms.filter(one => fits([...one.title, ...one.means, ...(one.asks ?? [])])),
  }
  const article = mine.articles.find(one => one.id === id)
  const term = mine.terms.find(one => `term.${one.id}` === id)
  const list = (title: string, all: readonly { id: string; title: Text }[]) =>
    all.length > 0 && (
      <section aria-label={title}>
        <h3>{title}</h3>
        <ul className="hp-list">
          {all.map(one => (
            <li key={one.id}>
              <Link
                href={to(help, { id: one.id })}
                aria-current={one.id === id ? 'page' : undefined}
              >
                {say(one.title)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    )
  const filter = say(['筛选帮助与名词', 'Filter articles and words'])
  return (
    <div className="hp-page">
      {article && <ArticleOf of={article} />}
      {term && <TermOf of={term} />}
      <nav aria-label={say(['全部帮助', 'All help'])}>
        <InputGroup
          leftElement={<Search className="hp-search" />}
          type="search"
          value={typed}
          onValueChange={setTyped}
          placeholder={filter}
          aria-label={filter}
        />
        {shown.articles.length === 0 && shown.terms.length === 0 && (
          <Empty title={say(['没有相关的帮助', 'No help on that'])}>
            <p>
              {say([
                '换个说法，或在命令面板里直接提问：怎么……',
                'Try other words, or ask the palette: how do I …',
              ])}
            </p>
          </Empty>
        )}
        {list(say(['怎么做', 'How to']), shown.articles)}
        {list(
          say(['名词', 'Words']),
          shown.terms.map(one => ({ id: `term.${one.id}`, title: one.title })),
        )}
      </nav>
    </div>
  )
}

import type { KeyboardEvent, ReactNode } from 'react'

type Tab<K extends string> = { key: K; title: ReactNode }
/** Tabs of which one is shown; the arrow keys turn to the one beside it, and round at the ends. */
export const Tabs = <K extends string>({
  label,
  all,
  at,
  go,
}: {
  label: string
  all: readonly Tab<K>[]
  at: K
  go: (key: K) => void
}) => {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    go(turned(all, at, by))
    const list = event.currentTarget
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  return (
    <div className="m-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {all.map(({ key, title }) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === at}
          tabIndex={key === at ? 0 : -1}
          onClick={() => go(key)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
/** The key of the tab so many places on. */
export const turned = <K extends string>(all: readonly { key: K }[], at: K, by: number): K =>
  all[(all.findIndex(({ key }) => key === at) + by + all.length) % all.length]!.key

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useReturnFocus } from '#src/kit/focus.ts'
import { TopLayer } from '#src/kit/layers.ts'
import { useSay } from '#src/kit/text.ts'
import type { Desk } from '../desk.ts'
import { everything } from '../registry.ts'
import { toast } from '../toasts.tsx'

type Code = typeof import('./palette.tsx')
let code: Code | undefined
const load = async () => {
  const [there] = await Promise.all([import('./palette.tsx'), everything()])
  return (code = there)
}
/** Fetches the palette and all that it finds, and builds its index ahead of its first opening. */
export const prepare = async (desk: Desk): Promise<void> => (await load()).prepare(desk)

/** What floats over everything; the focus returns to where it was. */
const Frame = ({ close, children }: { close: () => void; children: ReactNode }) => {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  useReturnFocus()
  // The last in the document, as Blueprint's overlays are when they come: what opened first lies
  // below.
  return createPortal(
    <div ref={box}>
      <TopLayer box={box} home={() => box.current?.querySelector<HTMLElement>('[cmdk-input]')} />
      <div
        className="s-palette-back"
        data-palette
        onPointerDown={event => {
          if (event.target === event.currentTarget) close()
        }}
      >
        <div
          className="s-palette"
          role="dialog"
          aria-modal="true"
          aria-label={say(['命令面板', 'Command palette'])}
        >
          {/* Chrome's autofill reads all fields around one that has no form each time it gets the
              focus: a quarter of what opening takes. */}
          <form style={{ display: 'contents' }} onSubmit={event => event.preventDefault()}>
            {children}
          </form>
        </div>
      </div>
    </div>,
    document.body,
  )
}
/**
 * The palette, or while its code is on its way the line it begins with: what is typed there, and
 * the Enter that ends it, are taken over.
 */
export const PaletteHost = ({ start, close }: { start: string; close: () => void }) => {
  const say = useSay()
  const [there, setThere] = useState(code)
  const typed = useRef(start)
  const entered = useRef(false)
  useEffect(() => {
    if (!there)
      load().then(setThere, () => {
        close()
        toast(
          say([
            '命令面板没有加载出来，请检查网络后重试',
            'The palette could not be loaded, check the network and retry',
          ]),
          'danger',
        )
      })
  }, [there, close, say])
  return (
    <Frame close={close}>
      {there ? (
        <there.Palette start={typed.current} entered={entered.current} close={close} />
      ) : (
        <input
          cmdk-input=""
          autoFocus
          aria-busy
          defaultValue={start}
          aria-label={say(['命令面板', 'Command palette'])}
          onChange={event => {
            typed.current = event.target.value
            entered.current = false
          }}
          onKeyDown={event => {
            if (event.key === 'Escape') {
              event.stopPropagation()
              close()
            } else if (event.key === 'Enter') entered.current = true
          }}
        />
      )}
    </Frame>
  )
}

/**
 * From an event to its paint: `event.timeStamp` → a task posted from the frame after the last
 * change of the document it led to. Includes the wait for the frame, excludes the graphics card.
 * One rule for every subject: it is settled when nothing changed for QUIET_MS.
 */
const QUIET_MS = 300
export type Measured = { paint: number; focus: number | undefined }
declare global {
  interface Window {
    probe: {
      arm: (kind: string) => void
      taken: () => Promise<Measured>
      turns: (selector: string, within: number) => void
      turned: () => Promise<number>
      frames: (ms: number) => Promise<number[]>
    }
  }
}

let waiting: Promise<Measured> | undefined
const arm = (kind: string) => {
  waiting = new Promise(done => {
    addEventListener(
      kind,
      event => {
        const from = event.timeStamp
        let paint = 0
        let focus: number | undefined
        let timer: ReturnType<typeof setTimeout>
        const settle = () => {
          clearTimeout(timer)
          timer = setTimeout(() => {
            // A timer may come due in the middle of split work: only after a whole idle turn it is
            // over.
            requestAnimationFrame(() =>
              setTimeout(() => {
                if (pending) return settle()
                observer.disconnect()
                removeEventListener('focusin', onFocus, true)
                done({ paint: paint - from, focus })
              }, 0),
            )
          }, QUIET_MS)
        }
        let pending = false
        const changed = (records: MutationRecord[]) => {
          // Written anew to what it was, as React does with a controlled input's name and type:
          // nothing to paint.
          if (
            records.every(
              ({ type, target, attributeName, oldValue }) =>
                type === 'attributes' &&
                (oldValue === (target as Element).getAttribute(attributeName!) ||
                  (target instanceof HTMLInputElement && attributeName === 'name')),
            )
          )
            return
          settle()
          if (pending) return
          pending = true
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => {
              paint = performance.now()
              pending = false
              port1.close()
            }
            port2.postMessage(0)
          })
        }
        const observer = new MutationObserver(changed)
        observer.observe(document, {
          subtree: true,
          childList: true,
          attributes: true,
          attributeOldValue: true,
          characterData: true,
        })
        const onFocus = (at: FocusEvent) => {
          if ((at.target as Element).tagName === 'INPUT') focus ??= performance.now() - from
        }
        addEventListener('focusin', onFocus, true)
        settle()
      },
      { capture: true, once: true },
    )
  })
}
let turning: Promise<number> | undefined
/**
 * From the next key pressed until what `selector` finds has another text, painted; NaN when it
 * still has the same after `within` ms.
 */
const turns = (selector: string, within: number) => {
  const was = document.querySelector(selector)?.textContent
  turning = new Promise(done => {
    addEventListener(
      'keydown',
      event => {
        const look = () => {
          const now = document.querySelector(selector)?.textContent
          // Seen before this frame is painted: a task posted from here comes after that.
          if (now && now !== was) {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => {
              done(performance.now() - event.timeStamp)
              port1.close()
            }
            port2.postMessage(0)
          } else if (performance.now() - event.timeStamp > within) done(Number.NaN)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
}
/** Lengths of the frames of the next `ms` milliseconds. */
const frames = (ms: number) =>
  new Promise<number[]>(done => {
    const lengths: number[] = []
    const began = performance.now()
    let last = began
    const next = (now: number) => {
      lengths.push(now - last)
      last = now
      if (now - began < ms) requestAnimationFrame(next)
      else done(lengths.slice(1))
    }
    requestAnimationFrame(now => {
      last = now
      requestAnimationFrame(next)
    })
  })
window.probe = { arm, taken: () => waiting!, turns, turned: () => turning!, frames }

import type { Challenge } from '#src/areas/people/proofOfWork.ts'

/** Does the work of a challenge in a worker of its own; rejects where the browser starts none. */
export const workOn = (challenge: Challenge): Promise<string> =>
  new Promise((done, fail) => {
    const worker = new Worker(new URL('./solver.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    worker.onmessage = ({ data }: MessageEvent<string>) => end(() => done(data))
    worker.onerror = event => end(() => fail(new Error(event.message)))
    worker.postMessage(challenge)
  })

import type { z } from 'zod'
import type { Text } from '#src/domain/text.ts'

type Asked<T> = {
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array<ArrayBuffer>
  /** What is answered, where all is well. */
  shape: z.ZodType<T>
  /** The most bytes of an answer. */
  most: number
  timeout_ms: number
  ask?: typeof fetch
}
const unreadable: Text = ['应答无法识别', 'the answer can’t be read']
const faultOf = (error: unknown, timeout_ms: number): Text => {
  if (error instanceof SyntaxError) return unreadable
  const seconds = timeout_ms / 1000
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? [`${seconds} 秒内没有应答`, `no answer within ${seconds} s`]
    : ['无法连接', 'no connection']
}
/**
 * Posts to a service of somebody else and reads its JSON, within bounds. Never throws for what is
 * answered or not: `fault` says in words why there is no answer.
 */
export const askService = async <T>(
  url: string,
  { headers, body, shape, most, timeout_ms, ask = fetch }: Asked<T>,
): Promise<{ said: T } | { fault: Text }> => {
  try {
    const answered = await ask(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeout_ms),
      headers: { accept: 'application/json', ...headers },
      body,
    })
    if (!answered.ok) {
      await answered.body?.cancel()
      return { fault: [`HTTP ${answered.status}`, `HTTP ${answered.status}`] }
    }
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of answered.body ?? []) {
      bytes += part.length
      if (bytes > most) return { fault: ['应答过大', 'too long an answer'] }
      parts.push(part)
    }
    const { data } = shape.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')))
    return data === undefined ? { fault: unreadable } : { said: data }
  } catch (error) {
    return { fault: faultOf(error, timeout_ms) }
  }
}

import { describe, expect, it } from 'vitest'
import { type Exchange, jsonText, requestText, urlText } from './exchange'

const exchange: Exchange = {
  request: {
    method: 'POST',
    url: 'https://id.example/token',
    headers: [['Authorization', 'Bearer c2VjcmV0']],
    body: {
      form: [
        ['code', 'c0de'],
        ['code_verifier', 'verifi3r'],
        ['grant_type', 'authorization_code'],
      ],
    },
  },
  answer: null,
}

describe('requests and responses', () => {
  it('masks tokens and codes unless they are shown', () => {
    const hidden = requestText(exchange, false)
    for (const secret of ['c2VjcmV0', 'c0de', 'verifi3r']) expect(hidden).not.toContain(secret)
    expect(hidden).toContain('grant_type=authorization_code')
    expect(requestText(exchange, true)).toContain('code=c0de')

    const answer = { access_token: 'acc3ss', refresh_token: 'r3fresh', id_token: 'id3', expires_in: 60 }
    for (const secret of ['acc3ss', 'r3fresh', 'id3']) expect(jsonText(answer, false)).not.toContain(secret)
    expect(jsonText(answer, false)).toContain('60')
    expect(jsonText(answer, true)).toContain('acc3ss')

    const address = 'https://id.example/try/callback?code=c0de&state=s'
    expect(urlText(address, false)).not.toContain('c0de')
    expect(urlText(address, false)).toContain('&state=s')
    expect(urlText(address, true)).toContain('?code=c0de')
  })
})

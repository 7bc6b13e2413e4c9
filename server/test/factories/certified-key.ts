import type { PemPair } from './oidc-configuration.js'

/** An unused P-256 key pair with its certificate and the certificate of the issuer. */
export const CERTIFIED: PemPair = {
  publicKey: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgKawlBdL38WhRL7ZQdJnRwl2I4fR
5dXTWU2X9NLUomslEycmcO92K2C5bM7j8KdFLNlB1mVDan3IZmjTL9rQQQ==
-----END PUBLIC KEY-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjsp2WVvHmb2eckif
KsQ9yzKHK5u4gYP4Z28eQC2asQOhRANCAASAprCUF0vfxaFEvtlB0mdHCXYjh9Hl
1dNZTZf00tSiayUTJyZw73YrYLlszuPwp0Us2UHWZUNqfchmaNMv2tBB
-----END PRIVATE KEY-----
`,
}

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBFjCBvAIUWmjmSmVmXSgkYx/f+pWf8BzG7uowCgYIKoZIzj0EAwIwDTELMAkG
A1UEAwwCQ0EwHhcNMjYxMTIyMTIyMTA2WhcNMzYxMTE5MTIyMTA2WjAOMQwwCgYD
VQQDDANvd24wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASAprCUF0vfxaFEvtlB
0mdHCXYjh9Hl1dNZTZf00tSiayUTJyZw73YrYLlszuPwp0Us2UHWZUNqfchmaNMv
2tBBMAoGCCqGSM49BAMCA0kAMEYCIQC+saG2Q9xfFT7xdi249ydRwKI1q965RkZw
UIYhF2k/aAIhAJBcPqF4+FCDuJTmB/MHPmJQaoTSG0g9DHYfBLtQFUrj
-----END CERTIFICATE-----
`

export const ISSUER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbTCCARSgAwIBAgITL/hhWS0ula3mUo5ESwwDkJy8ljAKBggqhkjOPQQDAjAN
MQswCQYDVQQDDAJDQTAeFw0yNjExMjIxMjIxMDZaFw0zNjExMTkxMjIxMDZaMA0x
CzAJBgNVBAMMAkNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEIeXobJWQ9RNM
r2wxyzHXxOxqtbqIzVLmN4dY45MqTZMf92qPMe/QvEJKLi+d/Prr43oatcK6i6dO
RqaOld+doaNTMFEwHQYDVR0OBBYEFDXLchl9sSYyMmGJcnBbcUVGuf70MB8GA1Ud
IwQYMBaAFDXLchl9sSYyMmGJcnBbcUVGuf70MA8GA1UdEwEB/wQFMAMBAf8wCgYI
KoZIzj0EAwIDRwAwRAIgcpqFpJlc05mxC+1tzGQFoIhmiW8P1sJaeyZqCQIDU9UC
ID83HS39/ak5GYaivKieWeA/mYzyb1wimbrB+OmTn0Tv
-----END CERTIFICATE-----
`

/** CERTIFICATE with month 99 in its expiry date: OpenSSL parses it, but the date does not exist. */
export const UNREADABLE_DATE = `-----BEGIN CERTIFICATE-----\n${Buffer.from(
  Buffer.from(CERTIFICATE.replaceAll(/-----[^-]+-----/g, ''), 'base64')
    .toString('latin1')
    .replace('361119122106Z', '369919122106Z'),
  'latin1',
).toString('base64')}\n-----END CERTIFICATE-----\n`

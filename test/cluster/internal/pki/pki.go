// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

// Package pki makes the certificates of one test cluster: an authority of its own, and a
// leaf for each component. It knows files and x509 only, nothing of processes.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validity is how long the certificates hold: a test cluster lives for hours, never for a year.
const validity = 365 * 24 * time.Hour

// Authority signs the certificates of one cluster.
type Authority struct {
	dir  string
	cert *x509.Certificate
	key  crypto.Signer
}

// Leaf describes one certificate: Name is the file's base name, the rest is what it says.
type Leaf struct {
	Name         string
	CommonName   string
	Organization string
	DNSNames     []string
	IPs          []string // textual addresses, e.g. "127.0.0.1"
}

// NewAuthority makes an authority and writes ca.crt and ca.key into dir.
func NewAuthority(dir, commonName string) (*Authority, error) {
	template, err := template(pkix.Name{CommonName: commonName})
	if err != nil {
		return nil, err
	}
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("sign the authority %s: %w", commonName, err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read back the authority %s: %w", commonName, err)
	}
	authority := &Authority{dir: dir, cert: cert, key: key}
	if err := writePair(dir, "ca", der, key); err != nil {
		return nil, err
	}
	return authority, nil
}

// Issue signs leaf for servers and clients and writes NAME.crt and NAME.key beside the authority's.
func (a *Authority) Issue(leaf Leaf) error {
	subject := pkix.Name{CommonName: leaf.CommonName}
	if leaf.Organization != "" {
		subject.Organization = []string{leaf.Organization}
	}
	template, err := template(subject)
	if err != nil {
		return err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.DNSNames = leaf.DNSNames
	for _, text := range leaf.IPs {
		ip := net.ParseIP(text)
		if ip == nil {
			return fmt.Errorf("certificate %s: %q is not an IP address", leaf.Name, text)
		}
		template.IPAddresses = append(template.IPAddresses, ip)
	}
	key, err := newKey()
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return fmt.Errorf("sign the certificate %s: %w", leaf.Name, err)
	}
	return writePair(a.dir, leaf.Name, der, key)
}

// WriteSigningKey writes NAME.key and NAME.pub: the pair that signs service account tokens.
func WriteSigningKey(dir, name string) error {
	key, err := newKey()
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return fmt.Errorf("encode the public key %s: %w", name, err)
	}
	if err := writePEM(filepath.Join(dir, name+".pub"), "PUBLIC KEY", public); err != nil {
		return err
	}
	return writeKey(dir, name, key)
}

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	return key, nil
}

func template(subject pkix.Name) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("draw a serial number: %w", err)
	}
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		// An hour back, for a clock that is set between two commands.
		NotBefore: now.Add(-time.Hour),
		NotAfter:  now.Add(validity),
	}, nil
}

func writePair(dir, name string, der []byte, key *ecdsa.PrivateKey) error {
	if err := writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", der); err != nil {
		return err
	}
	return writeKey(dir, name, key)
}

func writeKey(dir, name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("encode the key %s: %w", name, err)
	}
	return writePEM(filepath.Join(dir, name+".key"), "EC PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

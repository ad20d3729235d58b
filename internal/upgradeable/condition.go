// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package upgradeable

import (
	"context"
	"fmt"
	"os"
	"time"

	operatorsv2 "github.com/operator-framework/api/pkg/operators/v2"
	"github.com/operator-framework/operator-lib/conditions"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// NameVariable is the environment variable by which OLM names the operator's OperatorCondition.
const NameVariable = "OPERATOR_CONDITION_NAME"

const (
	// retry is when to try again to write the condition.
	retry = 5 * time.Second
	// writing bounds one attempt, so that a server that does not answer cannot hold the manager's end up.
	writing = 5 * time.Second
)

// Reporter keeps the Upgradeable condition. It is a Runnable of the leader: a second manager that
// waits for the lease changes no release.
type Reporter struct {
	*Gate
	condition conditions.Condition
}

// FromEnvironment returns the reporter of the OperatorCondition that OLM named, or nil if OLM runs
// no such thing here. It makes no request.
func FromEnvironment(config *rest.Config, gate *Gate) (*Reporter, error) {
	if os.Getenv(NameVariable) == "" {
		return nil, nil //nolint:nilnil // nil is the answer outside OLM, and the caller's question is just that
	}
	scheme := runtime.NewScheme()
	if err := operatorsv2.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("types of OLM: %w", err)
	}
	// Not the manager's client: OLM grants get and update of this one object, not a cache's list and watch.
	// Its mapping is known: discovery would cost requests for nothing.
	kind := operatorsv2.GroupVersion.WithKind("OperatorCondition")
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{kind.GroupVersion()})
	mapper.Add(kind, meta.RESTScopeNamespace)
	direct, err := client.New(config, client.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		return nil, fmt.Errorf("client of the OperatorCondition: %w", err)
	}
	condition, err := conditions.InClusterFactory{Client: direct}.NewCondition(operatorsv2.ConditionType(operatorsv2.Upgradeable))
	if err != nil {
		return nil, fmt.Errorf("OperatorCondition %s: %w", os.Getenv(NameVariable), err)
	}
	return NewReporter(gate, condition), nil
}

// NewReporter returns a reporter that writes to condition.
func NewReporter(gate *Gate, condition conditions.Condition) *Reporter {
	return &Reporter{Gate: gate, condition: condition}
}

// Start writes the condition whenever it changes, until ctx ends. A predecessor may have been killed
// while it said False, so the first write is unconditional. It never fails: an operator that cannot
// report is still one that serves books.
func (r *Reporter) Start(ctx context.Context) error {
	known, told := false, true
	for {
		want, again := r.upgradeable(told)
		if !known || want != told {
			err := r.tell(ctx, want)
			if err == nil {
				known, told = true, want
				continue
			}
			logf.FromContext(ctx).Error(err, "OLM could not be told whether the operator may be upgraded; trying again",
				"operatorCondition", os.Getenv(NameVariable), "upgradeable", want)
			again = retry
		}
		if !r.wait(ctx, again) {
			return r.leave(ctx, told)
		}
	}
}

// wait returns after d (0: never by itself) or when the gate changed; false is the end of ctx.
func (r *Reporter) wait(ctx context.Context, d time.Duration) bool {
	if d == 0 {
		select {
		case <-ctx.Done():
			return false
		case <-r.changed:
			return true
		}
	}
	timer := r.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-r.changed:
	case <-timer.C():
	}
	return true
}

// leave takes a False back: nobody else would, if no manager follows.
func (r *Reporter) leave(ctx context.Context, told bool) error {
	if told {
		return nil
	}
	if err := r.tell(context.WithoutCancel(ctx), true); err != nil {
		logf.FromContext(ctx).Error(err, "the operator ends while OLM believes that it may not be upgraded")
	}
	return nil
}

func (r *Reporter) tell(ctx context.Context, upgradeable bool) error {
	ctx, cancel := context.WithTimeout(ctx, writing)
	defer cancel()
	if upgradeable {
		return r.condition.Set(ctx, metav1.ConditionTrue,
			conditions.WithReason(viewv1.OperatorIdle), conditions.WithMessage("No release is being changed."))
	}
	return r.condition.Set(ctx, metav1.ConditionFalse, conditions.WithReason(viewv1.OperatorReleasing),
		conditions.WithMessage("Releases are being changed; an upgrade of the operator waits until they are done."))
}

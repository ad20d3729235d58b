// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

const (
	now    = "1111111111111111" // The content that the spec asks for.
	before = "0000000000000000" // The content that was served before.
)

// deployment is of three replicas, generation 2, seen by its controller: current of them of the
// newest template, available of all.
func deployment(current, total, available int32, conditions ...appsv1.DeploymentCondition) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Generation: 2},
		Spec:       appsv1.DeploymentSpec{Replicas: new(int32(3))},
		Status: appsv1.DeploymentStatus{
			ObservedGeneration: 2, UpdatedReplicas: current, Replicas: total, AvailableReplicas: available,
			Conditions: conditions,
		},
	}
}

func pod(content string, change func(*corev1.Pod)) corev1.Pod {
	p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{viewv1.LabelContent: content}}}
	change(&p)
	return p
}

// building is a pod whose init container is in that state.
func building(content string, status corev1.ContainerStatus) corev1.Pod {
	status.Name = BuildContainer
	return pod(content, func(p *corev1.Pod) { p.Status.InitContainerStatuses = []corev1.ContainerStatus{status} })
}

// serving is a pod whose build went well and whose server is in that state.
func serving(content string, status corev1.ContainerStatus) corev1.Pod {
	status.Name = "server"
	return pod(content, func(p *corev1.Pod) {
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: BuildContainer, Ready: true, State: terminated(0, "Completed", "")}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	})
}

// of gives a pod its template's hash, its name, and the second in which it was made.
func of(template, name string, second int64, p corev1.Pod) corev1.Pod {
	p.Labels[appsv1.DefaultDeploymentUniqueLabelKey] = template
	p.Name, p.CreationTimestamp = name, metav1.Unix(second, 0)
	return p
}

func terminated(code int32, reason, message string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, Message: message}}
}

func waiting(reason, message string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}

// failed is how a container looks between two tries: what it said is in the last termination.
func failed(code int32, reason, message string) corev1.ContainerStatus {
	return corev1.ContainerStatus{
		State:                waiting("CrashLoopBackOff", "back-off 10s restarting failed container"),
		LastTerminationState: terminated(code, reason, message),
	}
}

func TestOf(t *testing.T) {
	quota := appsv1.DeploymentCondition{
		Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate",
		Message: `pods "viewer-book-5d" is forbidden: exceeded quota: pods`,
	}
	deadline := appsv1.DeploymentCondition{
		Type: appsv1.DeploymentProgressing, Status: corev1.ConditionFalse, Reason: "ProgressDeadlineExceeded",
		Message: `ReplicaSet "viewer-book-5d" has timed out progressing.`,
	}
	progressing := appsv1.DeploymentCondition{Type: appsv1.DeploymentProgressing, Status: corev1.ConditionTrue, Reason: "ReplicaSetUpdated"}
	broken := failed(101, "Error", "ERROR failed to read chapter `gone.md`\n\tCaused by: No such file or directory (os error 2)")
	brokenMessage := "ERROR failed to read chapter `gone.md`\nCaused by: No such file or directory (os error 2)"

	const scaledToZero = "The viewer Deployment is scaled to 0, by an autoscaler or by hand, so no replica is to serve this book."

	type args struct {
		deployment *appsv1.Deployment
		pods       []corev1.Pod
	}
	cases := map[string]struct {
		reason string
		args   args
		want   Health
	}{
		"NoDeployment": {
			reason: "Between the MarkdownView and its first write there is nothing to judge.",
			want:   Health{Reason: viewv1.ReasonRollingOut, Message: "The viewer Deployment does not exist yet."},
		},
		"AllServe": {
			reason: "Three of three, all of the newest template.",
			args:   args{deployment: deployment(3, 3, 3)},
			want: Health{
				Replicas: 3, AvailableReplicas: 3, Desired: 3, RolledOut: true,
				Reason: viewv1.ReasonHealthy, Message: "3 of 3 replicas serve this book.",
			},
		},
		"OneOfThree": {
			reason: "Fault 5: one of three is not the same as three of three.",
			args:   args{deployment: deployment(3, 3, 1)},
			want: Health{
				Replicas: 3, AvailableReplicas: 1, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "1 of 3 replicas serve the new book; 1 of 3 serve a book.",
			},
		},
		"ReplicasUnset": {
			reason: "The API server's default is one replica.",
			args: args{deployment: func() *appsv1.Deployment {
				d := deployment(1, 1, 1)
				d.Spec.Replicas = nil
				return d
			}()},
			want: Health{
				Replicas: 1, AvailableReplicas: 1, Desired: 1, RolledOut: true,
				Reason: viewv1.ReasonHealthy, Message: "1 of 1 replicas serve this book.",
			},
		},
		"ScaledToZero": {
			reason: "None of none is not all: nobody built this book, and no text may count as served.",
			args: args{deployment: func() *appsv1.Deployment {
				d := deployment(0, 0, 0)
				d.Spec.Replicas = new(int32(0))
				return d
			}()},
			want: Health{Reason: viewv1.ReasonNotServing, Message: scaledToZero},
		},
		"ScalingToZero": {
			reason: "Old pods on their way out still serve; their troubles are nobody's any more.",
			args: args{
				deployment: func() *appsv1.Deployment {
					d := deployment(1, 2, 1, quota)
					d.Spec.Replicas = new(int32(0))
					return d
				}(),
				pods: []corev1.Pod{building(now, broken)},
			},
			want: Health{Replicas: 2, AvailableReplicas: 1, Reason: viewv1.ReasonNotServing, Message: scaledToZero},
		},
		"GenerationNotSeen": {
			reason: "Right after an apply the status still speaks of the old template: three of three of the wrong book.",
			args: args{deployment: func() *appsv1.Deployment {
				d := deployment(3, 3, 3, deadline)
				d.Generation = 3
				return d
			}()},
			want: Health{
				Replicas: 3, AvailableReplicas: 3, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "3 of 3 replicas serve the new book; 3 of 3 serve a book.",
			},
		},
		"OldPodsAlone": {
			reason: "Three serve, but two of them the old book.",
			args:   args{deployment: deployment(1, 3, 3)},
			want: Health{
				Replicas: 3, AvailableReplicas: 3, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "1 of 3 replicas serve the new book; 3 of 3 serve a book.",
			},
		},
		"OldPodsStillServe": {
			reason: "A surge pod beyond three: the old book is still served beside the new one.",
			args:   args{deployment: deployment(3, 4, 4)},
			want: Health{
				Replicas: 4, AvailableReplicas: 4, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "3 of 3 replicas serve the new book; 4 of 3 serve a book.",
			},
		},
		"BuildFailedWhileOldServes": {
			reason: "Fault 2: mdBook's own words, while the last good book is served by three.",
			args: args{
				deployment: deployment(1, 4, 3, progressing),
				pods:       []corev1.Pod{serving(before, corev1.ContainerStatus{Ready: true}), building(now, broken)},
			},
			want: Health{
				Replicas: 4, AvailableReplicas: 3, Desired: 3, Stalled: true,
				Reason: viewv1.ReasonBuildFailed, Message: brokenMessage,
			},
		},
		"BuildFailedThisMoment": {
			reason: "Before the kubelet's first back-off the words are in the state itself.",
			args: args{
				deployment: deployment(1, 1, 0),
				pods:       []corev1.Pod{building(now, corev1.ContainerStatus{State: terminated(101, "Error", "ERROR No")})},
			},
			want: Health{Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonBuildFailed, Message: "ERROR No"},
		},
		"OldPodsErrorIsNoNews": {
			reason: "The book was mended; the pod of the broken one is still there and must not be believed.",
			args:   args{deployment: deployment(1, 4, 3), pods: []corev1.Pod{building(before, broken)}},
			want: Health{
				Replicas: 4, AvailableReplicas: 3, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "1 of 3 replicas serve the new book; 3 of 3 serve a book.",
			},
		},
		"OldImagesErrorIsNoNews": {
			reason: "The image was mended, not the content: until there is a new pod, the pods there are say nothing.",
			args:   args{deployment: deployment(0, 3, 0), pods: []corev1.Pod{building(now, broken)}},
			want: Health{
				Replicas: 3, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "0 of 3 replicas serve the new book; 0 of 3 serve a book.",
			},
		},
		"DeletedPodsErrorIsNoNews": {
			reason: "A pod on its way out neither.",
			args: args{deployment: deployment(1, 2, 0), pods: []corev1.Pod{func() corev1.Pod {
				p := building(now, broken)
				p.DeletionTimestamp = new(metav1.Now())
				return p
			}()}},
			want: Health{
				Replicas: 2, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "0 of 3 replicas serve the new book; 0 of 3 serve a book.",
			},
		},
		"OldTemplatesErrorIsNoNews": {
			reason: "The image was mended, not the content: the broken pod stays until the new one, which is pulled still, serves.",
			args: args{deployment: deployment(1, 2, 0), pods: []corev1.Pod{
				of("old", "a", 1, building(now, broken)),
				of("new", "b", 2, building(now, corev1.ContainerStatus{State: waiting("PodInitializing", "")})),
			}},
			want: Health{
				Replicas: 2, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "0 of 3 replicas serve the new book; 0 of 3 serve a book.",
			},
		},
		"NewTemplatesError": {
			reason: "The change of the image broke it: the old pod, which comes later by name, hides nothing.",
			args: args{deployment: deployment(1, 2, 1), pods: []corev1.Pod{
				of("old", "z", 1, serving(now, corev1.ContainerStatus{Ready: true})),
				of("new", "b", 2, building(now, broken)),
			}},
			want: Health{
				Replicas: 2, AvailableReplicas: 1, Desired: 3, Stalled: true,
				Reason: viewv1.ReasonBuildFailed, Message: brokenMessage,
			},
		},
		"TwoTroubles": {
			reason: "Pods come in any order, and one that comes later may have failed further: the first by name is told, each time.",
			args: args{deployment: deployment(2, 2, 0), pods: []corev1.Pod{
				of("new", "b", 1, building(now, corev1.ContainerStatus{State: waiting("ErrImagePull", "not found")})),
				of("new", "a", 2, building(now, corev1.ContainerStatus{State: waiting("ImagePullBackOff", "back-off")})),
			}},
			want: Health{
				Replicas: 2, Desired: 3,
				Reason: viewv1.ReasonImagePullFailed, Message: "Image of container build: ImagePullBackOff: back-off",
			},
		},
		"BornInOneSecond": {
			reason: "Times have seconds; of two templates' pods of one second the first by name decides, whatever their order.",
			args: args{deployment: deployment(1, 2, 0), pods: []corev1.Pod{
				of("other", "b", 1, building(now, corev1.ContainerStatus{State: waiting("ErrImagePull", "not found")})),
				of("one", "a", 1, building(now, broken)),
			}},
			want: Health{
				Replicas: 2, Desired: 3, Stalled: true,
				Reason: viewv1.ReasonBuildFailed, Message: brokenMessage,
			},
		},
		"BuildMendedItself": {
			reason: "A build that failed once and then went well is no trouble.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				Ready: true, State: terminated(0, "Completed", ""), LastTerminationState: terminated(137, "Error", "killed"),
			})}},
			want: Health{
				Replicas: 1, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "0 of 3 replicas serve the new book; 0 of 3 serve a book.",
			},
		},
		"BuildOutOfMemory": {
			reason: "The kernel ended mdBook; the message says who can do what.",
			args:   args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, failed(137, "OOMKilled", ""))}},
			want: Health{
				Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonBuildFailed,
				Message: "mdBook ran out of memory while it built the book; make the book smaller, or ask an administrator to raise viewer.resources.limits.memory",
			},
		},
		"BuildSaidNothing": {
			reason: "An exit code is better than an empty message.",
			args:   args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, failed(2, "Error", " INFO Book building has started\n"))}},
			want:   Health{Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonBuildFailed, Message: "mdBook ended with exit code 2 and said nothing"},
		},
		"NoMdbookInImage": {
			reason: "The author's own image lacks mdbook; no retry can help.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, failed(128, "StartError",
				`exec: "mdbook": executable file not found in $PATH`))}},
			want: Health{
				Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonPodFailed,
				Message: `The viewer image does not run mdbook; spec.viewerImage must have mdbook on its PATH: exec: "mdbook": executable file not found in $PATH`,
			},
		},
		"NoMdbookInImageThisMoment": {
			reason: "The same before the back-off: conditions must not flip between the two.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				State: waiting("RunContainerError", `exec: "mdbook": executable file not found in $PATH`),
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonPodFailed,
				Message: `The viewer image does not run mdbook; spec.viewerImage must have mdbook on its PATH: exec: "mdbook": executable file not found in $PATH`,
			},
		},
		"RuntimeDown": {
			reason: "A kubelet that was killed in mid-rollout is the node's affair: no stall.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				State: waiting("RunContainerError", "context canceled"),
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonPodFailed,
				Message: "Container build: RunContainerError: context canceled",
			},
		},
		"StartInterrupted": {
			reason: "The same, when the runtime has noted it.",
			args:   args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, failed(128, "StartError", "task was deleted"))}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonPodFailed,
				Message: "Container build: StartError: task was deleted",
			},
		},
		"Evicted": {
			reason: "The pod's own reason says more than its containers' exit codes.",
			args:   args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{evicted(building(now, failed(137, "Error", "")))}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonPodFailed,
				Message: `A viewer pod was ended: Evicted: Usage of EmptyDir volume "site" exceeds the limit "128Mi".`,
			},
		},
		"ImagePull": {
			reason: "A registry may come back: no stall.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				State: waiting("ImagePullBackOff", `Back-off pulling image "x"`),
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonImagePullFailed,
				Message: `Image of container build: ImagePullBackOff: Back-off pulling image "x"`,
			},
		},
		"ImageNameInvalid": {
			reason: "A name that cannot be a name will not become one.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				State: waiting("InvalidImageName", "couldn't parse image name"),
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Stalled: true, Reason: viewv1.ReasonImagePullFailed,
				Message: "Image of container build: InvalidImageName: couldn't parse image name",
			},
		},
		"ContainerConfig": {
			reason: "runAsNonRoot against an image that runs as root, for one.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{building(now, corev1.ContainerStatus{
				State: waiting("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonPodFailed,
				Message: "Container build: CreateContainerConfigError: container has runAsNonRoot and image will run as root",
			},
		},
		"ServerFails": {
			reason: "Our own server failing is not the author's fault, and it may recover.",
			args:   args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{serving(now, failed(1, "Error", "no index.html in /site/book"))}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonPodFailed,
				Message: "Container server ended with exit code 1 (Error): no index.html in /site/book",
			},
		},
		"ServerRestartedAndServes": {
			reason: "What is ready has no trouble, whatever was before.",
			args: args{deployment: deployment(1, 1, 1), pods: []corev1.Pod{serving(now, corev1.ContainerStatus{
				Ready: true, LastTerminationState: terminated(137, "OOMKilled", ""),
			})}},
			want: Health{
				Replicas: 1, AvailableReplicas: 1, Desired: 3,
				Reason: viewv1.ReasonRollingOut, Message: "1 of 3 replicas serve the new book; 1 of 3 serve a book.",
			},
		},
		"NoNode": {
			reason: "The scheduler's words; a node may come.",
			args: args{deployment: deployment(1, 1, 0), pods: []corev1.Pod{pod(now, func(p *corev1.Pod) {
				p.Status.Conditions = []corev1.PodCondition{{
					Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: "0/1 nodes are available",
				}}
			})}},
			want: Health{
				Replicas: 1, Desired: 3, Reason: viewv1.ReasonRollingOut,
				Message: "A viewer pod waits for a node: 0/1 nodes are available",
			},
		},
		"Quota": {
			reason: "The API server takes no pods; the quota may be raised without a change here.",
			args:   args{deployment: deployment(0, 0, 0, quota)},
			want: Health{
				Desired: 3, Reason: viewv1.ReasonPodsRefused, Message: `pods "viewer-book-5d" is forbidden: exceeded quota: pods`,
			},
		},
		"Deadline": {
			reason: "No pod has an error to tell, but the time is up.",
			args:   args{deployment: deployment(1, 4, 3, deadline)},
			want: Health{
				Replicas: 4, AvailableReplicas: 3, Desired: 3,
				Reason: viewv1.ReasonRolloutTimedOut, Message: `ReplicaSet "viewer-book-5d" has timed out progressing.`,
			},
		},
		"CauseBeforeDeadline": {
			reason: "A build error says more than a deadline that it made pass.",
			args:   args{deployment: deployment(1, 4, 3, deadline), pods: []corev1.Pod{building(now, broken)}},
			want: Health{
				Replicas: 4, AvailableReplicas: 3, Desired: 3, Stalled: true,
				Reason: viewv1.ReasonBuildFailed, Message: brokenMessage,
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Of(c.args.deployment, c.args.pods, now)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// TestRolledOut: what plans rely on, where no message is needed.
func TestRolledOut(t *testing.T) {
	none := deployment(0, 0, 0)
	none.Spec.Replicas = new(int32(0))
	cases := map[string]struct {
		deployment *appsv1.Deployment
		want       bool
	}{
		"NoDeployment": {nil, false},
		"AllServe":     {deployment(3, 3, 3), true},
		"OneMissing":   {deployment(3, 3, 2), false},
		// The text that was served last must be kept for whoever scales the old Deployment up again.
		"ScaledToZero": {none, false},
	}
	for name, c := range cases {
		if got := RolledOut(c.deployment); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestClean: what mdBook says, and what of it the author reads.
func TestClean(t *testing.T) {
	cases := map[string]struct{ reason, log, want string }{
		"Version05": {
			reason: "mdBook 0.5 marks levels by a word after a space; causes are indented by a tab.",
			log: " INFO Book building has started\n INFO Running the html backend\n" +
				"ERROR failed to read chapter `dir/two.md`\n\tCaused by: failed to open `/book/src/dir/two.md`\n",
			want: "ERROR failed to read chapter `dir/two.md`\nCaused by: failed to open `dir/two.md`",
		},
		"Version05Frame": {
			reason: "A frame that points at a column keeps its spaces.",
			log:    "ERROR Invalid configuration file\n\tCaused by: TOML parse error at line 1, column 6\n  |\n1 | [book\n  |      ^\nunclosed table, expected `]`\n",
			want:   "ERROR Invalid configuration file\nCaused by: TOML parse error at line 1, column 6\n  |\n1 | [book\n  |      ^\nunclosed table, expected `]`",
		},
		"Version04": {
			reason: "mdBook 0.4 puts a time before the level and its module after it.",
			log: "2024-05-01 10:00:00 [INFO] (mdbook::book): Book building has started\n" +
				"2024-05-01 10:00:00 [ERROR] (mdbook::utils): Error: Summary parsing failed for file=\"/book/src/SUMMARY.md\"\n" +
				"2024-05-01 10:00:00 [ERROR] (mdbook::utils): \tCaused By: failed to parse SUMMARY.md line 4, column 5\n",
			want: "ERROR Error: Summary parsing failed for file=\"SUMMARY.md\"\nERROR Caused By: failed to parse SUMMARY.md line 4, column 5",
		},
		"ProgressAfterAnError": {
			reason: "A line of progress takes no line before it along.",
			log:    "ERROR failed\n INFO done\nWARN odd\n",
			want:   "ERROR failed\nWARN odd",
		},
		"INFOInAMessage": {
			reason: "The word within a message is no level.",
			log:    "ERROR a INFO b\nthe file INFO is missing",
			want:   "ERROR a INFO b\nthe file INFO is missing",
		},
		"Colours": {
			reason: "An image's own mdBook may colour its words.",
			log:    "\x1b[31mERROR\x1b[0m broken",
			want:   "ERROR broken",
		},
		"OnlyProgress": {
			reason: "Nothing is left where nothing was said.",
			log:    " INFO Book building has started\n DEBUG x\n TRACE y",
			want:   "",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, clean(c.log)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.reason, diff)
			}
		})
	}
}

// FuzzClean: a build container writes whatever it likes; what is kept is short and valid text.
func FuzzClean(f *testing.F) {
	f.Add(strings.Repeat("日本", 800))
	f.Add("caf\xe9")
	f.Add(" INFO \x1b[3\xffmERROR \n\t/book/src//book/src/")
	f.Fuzz(func(t *testing.T, log string) {
		got := clean(log)
		if len(got) > maxMessage+len("… ") {
			t.Errorf("%d bytes are kept", len(got))
		}
		if strings.Contains(got, "\t") {
			t.Errorf("tabs are kept: %q", got)
		}
		if strings.ToValidUTF8(got, "") != got {
			t.Errorf("not UTF-8, so no API server takes it: %q", got)
		}
	})
}

// evicted returns the pod as the kubelet leaves it that took its node's space back.
func evicted(pod corev1.Pod) corev1.Pod {
	pod.Status.Phase, pod.Status.Reason = corev1.PodFailed, "Evicted"
	pod.Status.Message = `Usage of EmptyDir volume "site" exceeds the limit "128Mi".`
	return pod
}

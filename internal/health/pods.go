// Copyright 2026 The markdown-view authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	viewv1 "github.com/bobuhiro11/markdown-view/api/v1"
)

// maxMessage bounds a message, in bytes: a condition's limit is 32 KiB, a person's is far lower.
const maxMessage = 1500

// imageReasons are the kubelet's words for an image that it cannot get; the value tells whether
// trying again can help.
var imageReasons = map[string]bool{
	"ErrImagePull": true, "ImagePullBackOff": true, "RegistryUnavailable": true,
	"InvalidImageName": false, "ErrImageNeverPull": false,
}

// failedPods finds the first trouble of any pod that does not serve.
func failedPods(pods []corev1.Pod) (trouble, bool) {
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodFailed && pod.Status.Reason != "" {
			// The kubelet or a controller ended the pod as a whole (Evicted, NodeLost, Preempting): what its
			// containers say then, an exit code 137, hides why.
			message := fmt.Sprintf("A viewer pod was ended: %s: %s", pod.Status.Reason, clean(pod.Status.Message))
			return trouble{reason: viewv1.ReasonPodFailed, message: message}, true
		}
		for _, status := range pod.Status.InitContainerStatuses {
			if t, found := failedContainer(status); found {
				return t, true
			}
		}
		for _, status := range pod.Status.ContainerStatuses {
			if t, found := failedContainer(status); found {
				return t, true
			}
		}
		for _, condition := range pod.Status.Conditions {
			if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse && condition.Message != "" {
				return trouble{reason: viewv1.ReasonRollingOut, message: "A viewer pod waits for a node: " + condition.Message}, true
			}
		}
	}
	return trouble{}, false
}

func failedContainer(status corev1.ContainerStatus) (trouble, bool) {
	if waiting := status.State.Waiting; waiting != nil {
		if retry, ok := imageReasons[waiting.Reason]; ok {
			message := fmt.Sprintf("Image of container %s: %s: %s", status.Name, waiting.Reason, waiting.Message)
			return trouble{reason: viewv1.ReasonImagePullFailed, message: message, stalled: !retry}, true
		}
		if waiting.Reason == "RunContainerError" && status.Name == BuildContainer && lacksProgram(waiting.Message) {
			return noMdbook(clean(waiting.Message)), true
		}
		if waiting.Reason == "CreateContainerConfigError" || waiting.Reason == "CreateContainerError" || waiting.Reason == "RunContainerError" {
			message := fmt.Sprintf("Container %s: %s: %s", status.Name, waiting.Reason, waiting.Message)
			return trouble{reason: viewv1.ReasonPodFailed, message: message}, true
		}
	}
	ended := status.State.Terminated
	if ended == nil {
		ended = status.LastTerminationState.Terminated
	}
	if ended == nil || ended.ExitCode == 0 || status.Ready {
		return trouble{}, false
	}
	if status.Name == BuildContainer {
		return buildFailure(ended), true
	}
	message := fmt.Sprintf("Container %s ended with exit code %d (%s): %s", status.Name, ended.ExitCode, ended.Reason, clean(ended.Message))
	return trouble{reason: viewv1.ReasonPodFailed, message: message}, true
}

// buildFailure words what mdBook said. Only the author can help, except where the node ended it.
func buildFailure(ended *corev1.ContainerStateTerminated) trouble {
	switch said := clean(ended.Message); {
	case ended.Reason == "OOMKilled":
		return trouble{reason: viewv1.ReasonBuildFailed, stalled: true,
			message: "mdBook ran out of memory while it built the book; make the book smaller, " +
				"or ask an administrator to raise viewer.resources.limits.memory"}
	case (ended.Reason == "ContainerCannotRun" || ended.Reason == "StartError") && lacksProgram(said):
		return noMdbook(said)
	case ended.Reason == "ContainerCannotRun" || ended.Reason == "StartError":
		// The node's affair (a kubelet that was killed, a runtime that is restarted): it tries again.
		return trouble{reason: viewv1.ReasonPodFailed, message: fmt.Sprintf("Container %s: %s: %s", BuildContainer, ended.Reason, said)}
	case said == "":
		return trouble{reason: viewv1.ReasonBuildFailed, stalled: true,
			message: fmt.Sprintf("mdBook ended with exit code %d and said nothing", ended.ExitCode)}
	default:
		return trouble{reason: viewv1.ReasonBuildFailed, stalled: true, message: said}
	}
}

// lacksProgram reports whether a container runtime's message says that the image has no such program, or
// one that cannot run. Every other reason that a container does not start is the node's.
func lacksProgram(message string) bool {
	return slices.ContainsFunc([]string{
		"executable file not found", "no such file or directory", "permission denied", "exec format error",
	}, func(words string) bool { return strings.Contains(message, words) })
}

// noMdbook is the kubelet's "executable file not found", in either of the two states that it is told in.
func noMdbook(said string) trouble {
	return trouble{reason: viewv1.ReasonPodFailed, stalled: true,
		message: "The viewer image does not run mdbook; spec.viewerImage must have mdbook on its PATH: " + said}
}

var (
	ansi = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	// chatter are log lines that are no errors: " INFO …" of mdBook 0.5, "DATE TIME [INFO] …" of 0.4.
	chatter = regexp.MustCompile(`(?m)^(\d\S*[ \t]+\d\S*)?[ \t]*\[?(INFO|DEBUG|TRACE)\b.*$\n?`)
	// stamp is what mdBook 0.4 puts before an error: when it was, and which part of mdBook says so.
	stamp = regexp.MustCompile(`(?m)^\d\S*[ \t]+\d\S*[ \t]+\[(ERROR|WARN)\][ \t]+\(mdbook[^)]*\):`)
)

// sourcePrefix is where the chart mounts the book's sources; an author knows only what comes after it.
const sourcePrefix = "/book/src/"

// clean reduces the last lines of a log to what the author needs: no colours, no progress, paths as
// they are in spec.markdowns.
func clean(log string) string {
	text := ansi.ReplaceAllString(strings.ToValidUTF8(log, "\uFFFD"), "")
	text = stamp.ReplaceAllString(chatter.ReplaceAllString(text, ""), "$1")
	text = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, sourcePrefix, ""), "\t", ""))
	if len(text) > maxMessage {
		text = "… " + strings.ToValidUTF8(text[len(text)-maxMessage:], "")
	}
	return text
}
